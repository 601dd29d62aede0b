import { expect, it } from 'vitest';
import { createClient } from '../../../src/client.ts';
import { KeyList } from '../../node/storage/storage-view.svelte.ts';
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
      const [, limit, after] = params as [string, number, string | null];
      const from = after === null ? 0 : keys.indexOf(after) + 1;
      return keys.slice(from, from + limit);
    }
    calls += 1;
    const changes = (params[0] as string[]).map((key) => [key, `0x${key.slice(-2)}`]);
    return [change(calls, { block, changes })];
  };
  const rpc = createClient({ request } as never);
  return { list: new KeyList({ rpc }, { prefix, hash: block, withValues: true }), keys, blocks };
};

it('exports every key with its value, all at the same block', async () => {
  const { list, keys, blocks } = openNode(2_300);
  expect(await loadAllPairs(list)).toEqual(
    Object.fromEntries(keys.map((key) => [key, `0x${key.slice(-2)}`])),
  );
  expect([...blocks]).toEqual([block]);
});

it('exports an empty set of keys', async () => {
  expect(await loadAllPairs(openNode(0).list)).toEqual({});
});

it('fails if a value cannot be read, instead of exporting null, which an import would delete', async () => {
  const refused = openNode(1_200, (call, set) => {
    if (call === 2) throw new Error('the state is gone');
    return set;
  });
  await expect(loadAllPairs(refused.list)).rejects.toThrow('the state is gone');
  const short = openNode(3, (_, set) => {
    const { changes } = set as { changes: unknown[] };
    return { block, changes: changes.slice(1) };
  });
  await expect(loadAllPairs(short.list)).rejects.toThrow('no value for the key 0xab000000');
  const empty = openNode(1, () => ({ block, changes: [[`${prefix}000000`, null]] }));
  await expect(loadAllPairs(empty.list)).rejects.toThrow('no value for the key 0xab000000');
  const stopped = openNode(2_300, (_, set) => {
    stopped.list.stop();
    return set;
  });
  await expect(loadAllPairs(stopped.list)).rejects.toThrow('stopped');
});
