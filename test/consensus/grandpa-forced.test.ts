import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterEach, expect, test } from 'vitest';
import { findChange } from '../../worker/consensus/grandpa/codec.ts';
import type { Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { checkVotes, loadBlocks, shortSessions, whenFinal, withRecords } from './grandpa-rig.ts';

let dev: DevNode;
afterEach(() => dev.stop());

/** Blocks between the announcement of the forced change and its effect. */
const delay = 3;

/** //Alice's first transaction: as root, she notes that finality has stalled at block 1. */
const signNoteStalled = async (node: Node): Promise<string> => {
  await cryptoWaitReady();
  const { api, close } = await openApi(node);
  const note = api.tx['grandpa']?.['noteStalled']?.(delay, 1);
  if (note === undefined) throw new Error('the runtime has no such call');
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const signed = await api.tx['sudo']?.['sudo']?.(note).signAsync(alice, { nonce: 0, era: 0 });
  await close();
  return signed?.toHex() as string;
};

test('a forced change pauses the voter, also across a restart, until it takes effect', async () => {
  const chain = await shortSessions('development', 4);
  const { db, records } = withRecords(lastingDatabase());
  const start = () => startDevNode({ chain, changes: { finality: { kind: 'grandpa' } }, db });
  const rounds = () => dev.node.parts.voting.rounds();
  const seal = () => dev.call('engine_createBlock', true, false);
  dev = await start();
  await dev.call('author_submitExtrinsic', await signNoteStalled(dev.node));
  await seal();
  await whenFinal(dev.node, 1);
  await expect.poll(rounds).not.toBeNull();

  const announced = async (): Promise<number | undefined> => {
    const blocks = await loadBlocks(dev.node, dev.best().number);
    return blocks.find(({ header }) => typeof findChange(header)?.medianFinalized === 'number')?.header
      .number;
  };
  while ((await announced()) === undefined) await seal();
  const height = dev.best().number;
  expect(await announced()).toBe(height);
  await expect.poll(rounds).toBeNull();
  await expect(dev.call('grandpa_roundState')).rejects.toMatchObject({ code: 1 });
  const final = dev.finalized().number;
  expect(final).toBeLessThan(height);

  await dev.stop();
  dev = await start();
  for (let more = 1; more < delay; more++) await seal();
  expect(rounds()).toBeNull();
  expect(dev.finalized().number).toBe(final);
  expect(await dev.node.parts.grandpa.authoritySet()).toMatchObject({ setId: 0n });

  await seal();
  await whenFinal(dev.node, height + delay);
  expect(await dev.node.parts.grandpa.authoritySet()).toMatchObject({ setId: 1n, forced: [] });
  const ofSet = (wanted: bigint) =>
    records.filter(({ setId }) => setId === wanted).flatMap(({ own }) => own.flatMap(({ votes }) => votes));
  expect(Math.max(...ofSet(0n).map(({ target }) => target.number))).toBeLessThan(height);
  expect(ofSet(1n).length).toBeGreaterThan(0);
  expect(checkVotes(records)).toBeGreaterThan(2);
});
