import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../../../test/rigs/platform.ts';
import { connectRpc } from '../../../../test/rigs/rpc.ts';
import { createNode, type Node } from '../../../node.ts';

type Change = [key: string, value: string | null];
type ChangeSet = { readonly block: string; readonly changes: readonly Change[] };

let node: Node;
let rpc: ReturnType<typeof connectRpc>;
let keys: string[];

beforeAll(async () => {
  node = await createNode(createTestPlatform(), testConfig('development'));
  rpc = connectRpc(node);
  keys = await rpc.call<string[]>('state_getKeysPaged', '0x', 1000);
});
afterAll(() => node.close());

const query = (asked: readonly string[]) => rpc.call<ChangeSet[]>('state_queryStorageAt', asked);

const expected = async (asked: readonly string[]): Promise<Change[]> =>
  Promise.all(
    [...new Set(asked)].map(async (key) => [key, await rpc.call<string | null>('state_getStorage', key)]),
  );

it('each key is listed once with its value, in the order of the query', async () => {
  const absent = `${keys[0]}00`;
  const lists = [
    ['0x'],
    [absent],
    keys.slice(0, 1),
    keys.slice(0, 40).reverse(),
    [...keys.slice(0, 5), absent],
    // In these, keys are repeated or end alike.
    [...keys.slice(0, 5), ...keys.slice(2, 4)],
    ['0x01ffffffff', '0x02ffffffff'],
    Array.from({ length: 300 }, (_, at) => `0x${at.toString(16).padStart(10, '0')}`),
    keys,
  ];
  for (const asked of lists)
    expect(await query(asked)).toEqual([
      { block: node.parts.chain.genesisHash, changes: await expected(asked) },
    ]);
  expect(await query([])).toEqual([]);
});
