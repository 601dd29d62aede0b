import { expect, it } from 'vitest';
import { createClient } from '../../src/client.ts';
import { loadAllPairs } from './export-keys.ts';

const prefix = '0xab';
const block = `0x${'11'.repeat(32)}`;

/** A node with `count` keys; `change` may replace its response to the n-th request for values. */
const openNode = (count: number, change: (call: number, set: unknown) => unknown = (_, set) => set) => {
  const keys = Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(6, '0')}`);
  const blocks = new Set<unknown>();
  let calls = 0;
  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    blocks.add(params.at(-1));
    if (method === 'state_getKeysPaged') {
      const [, most, after] = params as [string, number, string | null];
      const from = after === null ? 0 : keys.indexOf(after) + 1;
      return keys.slice(from, from + most);
    }
    calls += 1;
    const changes = (params[0] as string[]).map((key) => [key, `0x${key.slice(-2)}`]);
    return [change(calls, { block, changes })];
  };
  return { node: { rpc: createClient({ request } as never) }, keys, blocks };
};

const load = (node: ReturnType<typeof openNode>['node'], signal = new AbortController().signal) => {
  const counts: number[] = [];
  const pairs = loadAllPairs(node, prefix, block, { signal, onprogress: (count) => counts.push(count) });
  return { counts, pairs };
};

it('exports every key with its value, all at the same block', async () => {
  const { node, keys, blocks } = openNode(2_300);
  const { counts, pairs } = load(node);
  expect(await pairs).toEqual(Object.fromEntries(keys.map((key) => [key, `0x${key.slice(-2)}`])));
  expect([...blocks]).toEqual([block]);
  expect(counts).toEqual([500, 1000, 1500, 2000, 2300]);
});

it('exports an empty set of keys', async () => {
  expect(await load(openNode(0).node).pairs).toEqual({});
});

it('fails if a value cannot be read, instead of exporting null, which an import would delete', async () => {
  const refused = openNode(1_200, (call, set) => {
    if (call === 2) throw new Error('the state is gone');
    return set;
  });
  await expect(load(refused.node).pairs).rejects.toThrow('the state is gone');
  const short = openNode(3, (_, set) => {
    const { changes } = set as { changes: unknown[] };
    return { block, changes: changes.slice(1) };
  });
  await expect(load(short.node).pairs).rejects.toThrow('no value for the key 0xab000000');
  const empty = openNode(1, () => ({ block, changes: [[`${prefix}000000`, null]] }));
  await expect(load(empty.node).pairs).rejects.toThrow('no value for the key 0xab000000');
});
