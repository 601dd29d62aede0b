import { u8aToHex } from '@polkadot/util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevNode, startDevNode } from './dev-node.ts';

type Entry = {
  hash: string;
  extrinsic: string;
  priority: string;
  validTill: string;
  requires: string[];
  provides: string[];
};
type Pool = { ready: Entry[]; future: Entry[]; banned: { hash: string; untilMs: number }[] };

let dev: DevNode;
beforeEach(async () => {
  dev = await startDevNode({ changes: { pool: { banSeconds: 60 } } });
});
afterEach(() => dev.stop());

describe('dev_pool', () => {
  it('tells ready and waiting transactions with their tags, and what is banned', async () => {
    const alice = dev.pair('//Alice').publicKey;
    const to = dev.pair('//Zoe').publicKey;
    const read = () => dev.call<Pool>('dev_pool');
    const tag = (nonce: number) => `${u8aToHex(alice)}0${nonce}000000`;
    expect(await read()).toEqual({ ready: [], future: [], banned: [] });
    const [first, third] = [
      await dev.transfer('//Alice', to, 10n ** 12n, 0),
      await dev.transfer('//Alice', to, 10n ** 12n, 2),
    ];
    await dev.call('author_submitExtrinsic', first);
    const hash = await dev.call<string>('author_submitExtrinsic', third);
    const pool = await read();
    expect(pool.ready).toMatchObject([{ extrinsic: first, requires: [], provides: [tag(0)] }]);
    expect(pool.future).toMatchObject([{ hash, extrinsic: third, requires: [tag(1)], provides: [tag(2)] }]);
    // Immortal: as long as CheckMortality says from block 1 on, with every digit.
    expect(pool.ready[0]?.validTill).toBe('18446744073709551614');
    expect(BigInt(pool.ready[0]?.priority ?? 0)).toBeGreaterThan(0n);
    const before = Date.now();
    await dev.call('author_removeExtrinsic', [{ hash }]);
    const after = await read();
    expect(after.future).toEqual([]);
    expect(after.banned).toMatchObject([{ hash }]);
    expect(after.banned[0]?.untilMs).toBeGreaterThan(before);
  });
});
