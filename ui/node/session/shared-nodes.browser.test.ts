import { expect, it } from 'vitest';
import { sharedNodes } from '../../../src/protocol/chain-id.ts';
import { openIdbNodeStore } from '../../../worker/db/node-store-idb.ts';
import { inTurn } from './chain-store.ts';
import { deleteShared, sharedBytes } from './shared-nodes.ts';

const names = async () => (await indexedDB.databases()).map(({ name }) => name);

it('the size of what forks have read is known, and it can be deleted while a node has it open', async () => {
  await deleteShared();
  expect(await sharedBytes()).toBeNull();
  expect(await names()).not.toContain(sharedNodes);
  const engine = await openIdbNodeStore();
  const key = new Uint8Array(32).fill(1);
  await engine.write({ puts: [{ key, value: new Uint8Array(500), replaces: false }], used: [], usedAt: 1 });
  expect(await sharedBytes()).toBe(500);
  await deleteShared();
  expect(await names()).not.toContain(sharedNodes);
  await engine.close();
});

it('no chain gets the id of a database of another kind, whether that exists or not', async () => {
  await deleteShared();
  expect(await inTurn(async (taken) => taken)).toEqual(
    expect.arrayContaining(['tabnode-nodes', 'tabnode-devtools', 'tabnode-pair-bob']),
  );
});
