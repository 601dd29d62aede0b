import { afterEach, expect, test } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { decodeGrandpaJustification } from '../../worker/consensus/grandpa/codec.ts';
import { continueRecord, createStore, recordVote } from '../../worker/consensus/grandpa/voter/record.ts';
import type { Database } from '../../worker/db/database.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { checkVotes, whenFinal, withRecords } from './grandpa-rig.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const changes = { finality: { kind: 'grandpa' } } as const;
const start = async (db?: Database): Promise<void> => {
  dev = await startDevNode({ changes, ...(db === undefined ? {} : { db }) });
};

const final = (height: number): Promise<void> => whenFinal(dev.node, height);
const seal = (): Promise<unknown> => dev.call('engine_createBlock', true, false);

type Block = {
  readonly block: object;
  readonly justifications: [readonly number[], readonly number[]][] | null;
};

test('a chain with one voter finalizes by its votes, and a fresh node by the justification alone', async () => {
  await start();
  const told = await dev.follow('grandpa_subscribeJustifications');
  for (let i = 0; i < 3; i++) await seal();
  expect(dev.finalized().number).toBe(0);
  await final(3);
  const blocks: Block[] = [];
  for (let number = 1; number <= 3; number++)
    blocks.push(await dev.call<Block>('chain_getBlock', await dev.call('chain_getBlockHash', number)));
  const [, proof = []] = blocks[2]?.justifications?.[0] ?? [];
  expect(told.at(-1)).toBe(bytesToHex(Uint8Array.from(proof)));
  const justification = decodeGrandpaJustification(Uint8Array.from(proof));
  expect([justification.targetNumber, justification.precommits.length]).toEqual([3, 1]);
  const other = await startDevNode({ changes: { finality: { kind: 'manual' } } });
  const toHex = (bytes: readonly number[]) => bytesToHex(Uint8Array.from(bytes));
  for (const { block, justifications } of blocks)
    await other.node.importBlock({
      block,
      justifications: justifications?.map(([engine, data]) => [toHex(engine), toHex(data)]) ?? null,
    } as Parameters<typeof other.node.importBlock>[0]);
  expect(other.finalized()).toMatchObject({ number: 3, hash: dev.best().hash });
  await other.stop();
});

test('the newest justification is stored, and subscribers got those before', async () => {
  await start();
  const told = await dev.follow('grandpa_subscribeJustifications');
  const stored = async (number: number) =>
    (await dev.call<Block>('chain_getBlock', await dev.call('chain_getBlockHash', number))).justifications;
  await seal();
  await final(1);
  expect(await stored(1)).not.toBeNull();
  await seal();
  await final(2);
  expect([await stored(1), (await stored(2))?.length, told.length]).toEqual([null, 1, 2]);
});

test('grandpa_roundState shows the rounds in both dialects, once the voter runs', async () => {
  await start();
  await seal();
  await final(1);
  const states = [
    await dev.call<object>('grandpa_roundState'),
    await connectRpc(dev.node, { dialect: 'psp-6' }).call<object>('grandpa_roundState'),
  ];
  const missing = ['5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu'];
  for (const state of states)
    expect(state).toMatchObject({
      setId: 0,
      best: {
        round: 2,
        totalWeight: 1,
        thresholdWeight: 1,
        prevotes: { currentWeight: 0, missing },
        precommits: { currentWeight: 0, missing },
      },
    });
});

test('without a key of the set nothing votes, the rounds are followed, and the mode can be left', async () => {
  dev = await startDevNode({ changes: { ...changes, keys: [] } });
  const nobody = { currentWeight: 0 };
  const roundState = () => dev.call('grandpa_roundState').catch(() => null);
  await expect.poll(roundState).toMatchObject({ best: { round: 1, prevotes: nobody, precommits: nobody } });
  await dev.call('dev_setFinality', 'instant');
  await expect(dev.call('grandpa_roundState')).rejects.toMatchObject({ code: 1 });
});

test('restarts go on with the rounds, and never vote twice in one', async () => {
  const { db, records } = withRecords(lastingDatabase());
  await start(db);
  await seal();
  await final(1);
  await seal();
  // Stopped before the second block is final.
  await dev.stop();
  await start(db);
  await seal();
  await final(3);
  expect(checkVotes(records)).toBeGreaterThan(3);
  expect(records.at(-1)?.session).toBe(0);
});

test('voters of one node begin in the same round of a moved chain, also if only one of them had voted', async () => {
  const { db, records } = withRecords(lastingDatabase());
  const both = { ...changes, keys: ['//Alice', '//Bob'] };
  dev = await startDevNode({ chain: 'local_testnet', changes: both, db });
  const [alice] = dev.node.parts.keystore.pairs('gran');
  await dev.call('dev_setFinality', 'manual');
  await dev.stop();
  const vote = { kind: 0, target: { hash: dev.node.parts.chain.genesisHash, number: 0 } } as const;
  const record = recordVote(continueRecord(null, 0n, vote.target), 1n, vote);
  await createStore(db, alice?.publicKey as Uint8Array).save(record);
  dev = await startDevNode({ chain: 'local_testnet', changes: both, db });
  await dev.call('dev_newBlock', { count: 2 });
  await dev.call('dev_setHead', 1);
  await dev.call('dev_newBlock', { count: 2 });
  await final(3);
  expect(checkVotes(records)).toBeGreaterThan(4);
});

test('a moved chain gets rounds that were never voted in', async () => {
  const { db, records } = withRecords(lastingDatabase());
  await start(db);
  await dev.call('dev_snapshot', 'first');
  await seal();
  await final(1);
  const first = records.at(-1);
  await dev.call('dev_restore', 'first');
  expect(dev.finalized().number).toBe(0);
  await dev.call('dev_timeTravel', Date.UTC(2031, 0, 1));
  await seal();
  await final(1);
  checkVotes(records);
  const last = records.at(-1);
  expect(last?.session).toBe(1);
  expect(last?.own.every(({ round }) => round > (first?.used[0]?.round ?? 0n))).toBe(true);
});
