import { afterEach, expect, test } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeGrandpaJustification } from '../../worker/consensus/grandpa/codec.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { checkVotes, whenFinal, withRecords } from './grandpa-rig.ts';

const open: DevNode[] = [];
afterEach(async () => {
  for (const dev of open.splice(0)) await dev.stop();
});

/** A node with the default finality mode, which seals on request. */
const start = async (
  chain: NodeConfig['chain'],
  keys: readonly string[],
  db = lastingDatabase(),
  seal: NodeConfig['seal'] = { kind: 'instant' },
): Promise<DevNode> => {
  const dev = await startDevNode({ chain, db, changes: { keys, seal, finality: undefined } });
  open.push(dev);
  return dev;
};

const seal = (dev: DevNode): Promise<unknown> => dev.call('engine_createBlock', true, false);
const mode = async ({ node }: DevNode): Promise<unknown> => {
  const { finality, finalityChosen } = await node.status();
  return [finality.kind, finalityChosen];
};

/** Resolves with the next justification that subscribers receive. */
const nextProof = async (dev: DevNode) => {
  const items = await dev.follow('grandpa_subscribeJustifications');
  return async () => {
    const count = items.length;
    await seal(dev);
    await expect.poll(() => items.length, { timeout: 20_000 }).toBeGreaterThan(count);
    return decodeGrandpaJustification(hexToBytes(items.at(-1) as string));
  };
};

test.each([
  [['//Alice'], 'grandpa'],
  [[], 'delayed'],
] as const)('is undecided until the keys of the node are known: %j', async (keys, kind) => {
  const dev = await start('development', keys);
  expect(await dev.node.status()).toMatchObject({ finality: { kind: 'delayed' }, finalityUndecided: true });
  await expect.poll(async () => (await dev.node.status()).finalityUndecided).toBe(false);
  expect(await mode(dev)).toEqual([kind, false]);
  await dev.call('dev_setFinality', 'manual');
  expect(await dev.node.status()).toMatchObject({ finalityUndecided: false });
});

test('a development chain is finalized by the vote of its authority', async () => {
  const dev = await start('development', ['//Alice']);
  const next = await nextProof(dev);
  const proof = await next();
  expect(await mode(dev)).toEqual(['grandpa', false]);
  expect([proof.targetNumber, proof.precommits.length]).toEqual([1, 1]);
  expect(dev.finalized()).toMatchObject({ number: 1 });
});

test('a node with all keys of a set votes with each of them, and never twice in a round', async () => {
  const { db, records } = withRecords(lastingDatabase());
  let dev = await start('local_testnet', ['//Alice', '//Bob'], db);
  const next = await nextProof(dev);
  const proof = await next();
  expect(await mode(dev)).toEqual(['grandpa', false]);
  expect(new Set(proof.precommits.map(({ voter }) => bytesToHex(voter))).size).toBe(2);
  for (let i = 0; i < 3; i++) await next();
  await dev.call('dev_setHead', -2);
  await next();
  await dev.stop();
  open.splice(0);

  dev = await start('local_testnet', ['//Alice', '//Bob'], db);
  await seal(dev);
  await whenFinal(dev.node, dev.best().number);
  const voters = new Set(records.map(({ voter }) => voter));
  expect(voters.size).toBe(2);
  expect(checkVotes(records)).toBeGreaterThan(4 * voters.size);
});

test('a node that lacks a key of the set finalizes by the clock, until it gets the key', async () => {
  const dev = await start('local_testnet', ['//Alice']);
  await seal(dev);
  await whenFinal(dev.node, 1);
  expect(await mode(dev)).toEqual(['delayed', false]);
  dev.node.parts.keystore.insertSuri('gran', 'ed25519', '//Bob');
  const next = await nextProof(dev);
  const proof = await next();
  expect(await mode(dev)).toEqual(['grandpa', false]);
  expect(proof.precommits).toHaveLength(2);
});

test('whoever seals by hand gets instant finality, and the votes once sealing goes by itself', async () => {
  const dev = await start('development', ['//Alice'], lastingDatabase(), { kind: 'manual' });
  await seal(dev);
  expect(await mode(dev)).toEqual(['instant', false]);
  await dev.call('dev_setSealMode', 'instant');
  const next = await nextProof(dev);
  expect((await next()).precommits).toHaveLength(1);
  expect(await mode(dev)).toEqual(['grandpa', false]);
});
