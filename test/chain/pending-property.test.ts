import { Keyring } from '@polkadot/keyring';
import { blake2AsHex, cryptoWaitReady } from '@polkadot/util-crypto';
import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createNode } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';

const senders = ['//Alice', '//Bob'] as const;
const nonces = 4;
/** One transaction for each sender, nonce and tip, signed once: the extrinsic and its hash. */
type Transaction = {
  readonly from: number;
  readonly nonce: number;
  readonly tip: number;
  readonly hex: string;
};
const transactions: Transaction[] = [];

const open = () =>
  createNode(
    createTestPlatform(),
    testConfig('development', {
      finality: { kind: 'manual' },
      pool: { banSeconds: 0 },
      offchainWorkers: 'never',
    }),
  );

beforeAll(async () => {
  await cryptoWaitReady();
  const node = await open();
  const { api, close } = await openApi(node);
  const keyring = new Keyring({ type: 'sr25519' });
  for (const [from, suri] of senders.entries())
    for (let nonce = 0; nonce < nonces; nonce++)
      for (const tip of [0, 1_000_000_000]) {
        const call = api.tx['system']?.['remark']?.('0x01');
        const signed = await call?.signAsync(keyring.addFromUri(suri), { nonce, tip, era: 0 });
        transactions.push({ from, nonce, tip, hex: signed?.toHex() ?? '' });
      }
  await close();
  await node.close();
});

/** A block in the model: its parent, and what it included. */
type Block = { readonly hash: string; readonly parent: Block | null; readonly body: readonly Transaction[] };

const lineOf = (block: Block): Block[] =>
  block.parent === null ? [block] : [...lineOf(block.parent), block];
/** The nonce of a sender in the state after a block: the number of its transactions on the block's branch. */
const nonceAt = (block: Block, from: number): number =>
  lineOf(block)
    .flatMap(({ body }) => body)
    .filter((one) => one.from === from).length;

/**
 * What a pool must contain, in the simplest obviously correct way: everything accepted that is neither spent
 * nor replaced. Of two with the same nonce, the one with the higher tip stays once that nonce is next.
 */
const createModel = (genesis: Block) => {
  let best = genesis;
  let pool: Transaction[] = [];
  const readyOf = (from: number): Transaction[] => {
    const ready: Transaction[] = [];
    for (let nonce = nonceAt(best, from); ; nonce++) {
      const rivals = pool.filter((one) => one.from === from && one.nonce === nonce);
      const [winner] = rivals.sort((a, b) => b.tip - a.tip);
      if (winner === undefined) return ready;
      ready.push(winner);
    }
  };
  const ready = (): Transaction[] => senders.flatMap((_suri, from) => readyOf(from));
  /** Drops spent transactions, and those replaced by a competitor. */
  const settle = (): void => {
    const winners = ready();
    const lost = (one: Transaction): boolean =>
      one.nonce < nonceAt(best, one.from) ||
      winners.some((won) => won.from === one.from && won.nonce === one.nonce && won !== one);
    pool = pool.filter((one) => !lost(one));
  };
  const submit = (one: Transaction): boolean => {
    const rival = ready().find(({ from, nonce }) => from === one.from && nonce === one.nonce);
    if (pool.includes(one) || one.nonce < nonceAt(best, one.from)) return false;
    if (rival !== undefined && rival.tip >= one.tip) return false;
    pool.push(one);
    settle();
    return true;
  };
  /** Removing a ready one also removes the later ones of its sender. */
  const remove = (one: Transaction): void => {
    const row = readyOf(one.from);
    const gone = row.includes(one) ? row.slice(row.indexOf(one)) : [one];
    pool = pool.filter((other) => !gone.includes(other));
  };
  const moveTo = (next: Block): void => {
    const retracted = lineOf(best).filter((block) => !lineOf(next).includes(block));
    best = next;
    settle();
    for (const { body } of retracted) for (const one of body) submit(one);
    settle();
  };
  /**
   * The ready transactions that a block on a parent includes. Removes those that its state refuses
   * permanently.
   */
  const build = (parent: Block): Transaction[] => {
    const body: Transaction[] = [];
    for (const [from] of senders.entries()) {
      const row = readyOf(from);
      let next = nonceAt(parent, from);
      for (const one of row) {
        if (one.nonce < next) remove(one);
        if (one.nonce !== next) break;
        body.push(one);
        next += 1;
      }
    }
    return body;
  };
  return { best: () => best, ready, submit, remove, moveTo, build };
};

type Step = { readonly kind: 'submit' | 'remove' | 'seal' | 'fork' | 'setHead'; readonly which: number };
const someStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('submit', 'submit', 'submit', 'submit', 'remove', 'seal', 'fork', 'setHead'),
  which: fc.nat({ max: 1000 }),
});

it('author_pendingExtrinsics equals a naive pool, whatever is submitted, removed, sealed, forked and reverted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      const node = await open();
      const { ask, call } = connectRpc(node);
      const genesis: Block = { hash: node.parts.chain.genesisHash, parent: null, body: [] };
      const blocks = [genesis];
      const model = createModel(genesis);
      const build = async (parent: Block): Promise<void> => {
        const answer = await call<{ hash: string; aux: { is_new_best: boolean } }>(
          'engine_createBlock',
          true,
          false,
          parent.hash,
        );
        const block: Block = { hash: answer.hash, parent, body: model.build(parent) };
        blocks.push(block);
        if (answer.aux.is_new_best) model.moveTo(block);
      };
      const pick = <T>(list: readonly T[], which: number): T => list[which % list.length] as T;
      for (const { kind, which } of steps) {
        if (kind === 'submit') {
          const one = pick(transactions, which);
          const isTaken = (await ask('author_submitExtrinsic', one.hex)).error === undefined;
          expect([kind, isTaken]).toEqual([kind, model.submit(one)]);
        } else if (kind === 'remove') {
          const one = pick(transactions, which);
          await call('author_removeExtrinsic', [{ hash: blake2AsHex(one.hex) }]);
          model.remove(one);
        } else if (kind === 'seal') await build(model.best());
        else if (kind === 'fork') await build(pick(lineOf(model.best()), which));
        else {
          const block = pick(blocks, which);
          await call('dev_setHead', block.hash);
          model.moveTo(block);
        }
        await node.parts.pool.idle();
        const pending = await call<string[]>('author_pendingExtrinsics');
        expect([...pending].sort()).toEqual(
          model
            .ready()
            .map(({ hex }) => hex)
            .sort(),
        );
        // The transactions of each sender are in nonce order.
        for (const [from] of senders.entries()) {
          const own = transactions.filter((one) => one.from === from && pending.includes(one.hex));
          const order = own.sort((a, b) => pending.indexOf(a.hex) - pending.indexOf(b.hex));
          expect(order.map(({ nonce }) => nonce)).toEqual(
            order.map((_one, i) => nonceAt(model.best(), from) + i),
          );
        }
      }
      await node.close();
    }),
    { numRuns: 20, seed: 7 },
  );
}, 120_000);
