import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client.ts';
import { KeyList } from '../../node/storage/storage-view.svelte.ts';

/** A node with `count` keys that responds asynchronously; `asked` records its requests. */
const openKeys = (count: number) => {
  const all = Array.from({ length: count }, (_, index) => `0x${String(index).padStart(8, '0')}`);
  const asked: (readonly [method: string, params: readonly unknown[]])[] = [];
  const answer = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'state_queryStorageAt')
      return [{ block: '0x', changes: (params[0] as string[]).map((key) => [key, `${key}ff`]) }];
    const [, size, after] = params as [string, number, string | null];
    const from = after === null ? 0 : all.indexOf(after) + 1;
    return all.slice(from, from + size);
  };
  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    asked.push([method, params]);
    await new Promise((resolve) => setTimeout(resolve));
    return answer(method, params);
  };
  const rpc = createClient({ request } as never);
  return { list: new KeyList({ rpc }, { prefix: '0x', hash: null }), all, asked };
};

describe('the keys under a prefix', () => {
  it('reads each key once, even while a page is still loading', async () => {
    const { list, all, asked } = openKeys(2500);
    const first = list.more();
    await Promise.all([first, list.more(), list.all()]);
    expect(list.keys).toEqual(all);
    expect(list.done).toBe(true);
    expect(asked.map(([, params]) => params[1])).toEqual([200, 1000, 1000, 1000]);
  });

  it('requests the visible values, one request at a time and no value twice', async () => {
    const { list, all, asked } = openKeys(200);
    await list.more();
    asked.length = 0;
    await Promise.all([list.see(0, 3), list.see(50, 53), list.see(100, 103)]);
    await list.see(101, 105);
    const values = asked.map(([, [keys]]) => keys);
    expect(values).toEqual([all.slice(0, 3), all.slice(100, 103), all.slice(103, 105)]);
    expect(list.values.get(all[104] ?? '')).toBe(`${all[104]}ff`);
  });
});
