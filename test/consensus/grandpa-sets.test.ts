import { afterEach, expect, test } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { findJustification } from '../../worker/codec/justification.ts';
import {
  decodeGrandpaJustification,
  findChange,
  grandpaEngine,
} from '../../worker/consensus/grandpa/codec.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { changeKeys, checkVotes, loadBlocks, shortSessions, whenFinal, withRecords } from './grandpa-rig.ts';

const open: DevNode[] = [];
afterEach(async () => {
  for (const dev of open.splice(0)) await dev.stop();
});

const start = async (...options: Parameters<typeof startDevNode>): Promise<DevNode> => {
  const dev = await startDevNode(...options);
  open.push(dev);
  return dev;
};

test('rotated keys take over: the old set ends with a stored justification, and a fresh node follows', async () => {
  const chain = await shortSessions('development', 4);
  const { db, records } = withRecords(lastingDatabase());
  const changes = { finality: { kind: 'grandpa' } } as const;
  let dev = await start({ chain, changes, db });
  const { grandpa, keystore } = dev.node.parts;
  await changeKeys(dev.node);
  const sealTo = async (height: number): Promise<void> => {
    while (dev.best().number < height) await dev.call('engine_createBlock', true, false);
  };
  await sealTo(20);
  await whenFinal(dev.node, 20);
  const set = await grandpa.authoritySet();
  expect(set?.setId).toBe(1n);
  const [voter] = set?.authorities ?? [];
  const [alice, rotated] = keystore.pairs('gran').map(({ publicKey }) => bytesToHex(publicKey));
  expect(bytesToHex(voter?.publicKey ?? new Uint8Array())).toBe(rotated);

  const blocks = await loadBlocks(dev.node, 20);
  const announced = blocks.find(({ header }) => findChange(header) !== null)?.header.number ?? 0;
  const justified = blocks.flatMap(({ header, justifications }) => {
    const proof = findJustification(justifications, grandpaEngine);
    if (proof === null) return [];
    const { precommits } = decodeGrandpaJustification(proof);
    return [[header.number, precommits.map((vote) => bytesToHex(vote.voter))]];
  });
  // The last block of the old set, and the newest one.
  expect(justified).toEqual([
    [announced, [alice]],
    [20, [rotated]],
  ]);

  const fresh = await start({ chain, changes: { finality: { kind: 'manual' }, keys: [] } });
  const other = fresh.node.parts;
  for (const { justifications, ...block } of blocks)
    expect(await other.chain.import(block, { justifications, origin: 'file' })).toMatchObject({ ok: true });
  // A justification that changes no set is not verified with every block, as in the SDK.
  expect(fresh.finalized().number).toBe(announced);
  expect(await other.grandpa.authoritySet()).toMatchObject({ setId: 1n });
  await other.chain.finalize(dev.best().hash, blocks.at(-1)?.justifications?.[0] ?? null);
  expect(await other.grandpa.authoritySet()).toMatchObject({ justified: { number: 20 } });

  // The rotated key is kept, and the rounds of set 1 go on after a restart.
  await dev.stop();
  open.splice(open.indexOf(dev), 1);
  dev = await start({ chain, changes, db });
  await sealTo(22);
  await whenFinal(dev.node, 22);
  expect(checkVotes(records)).toBeGreaterThan(4);
  expect(new Set(records.map(({ setId }) => setId))).toEqual(new Set([0n, 1n]));
});
