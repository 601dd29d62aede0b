import { u8aToHex } from '@polkadot/util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { methodResults } from '../src/protocol/rpc/results/results.ts';
import { openApi } from './api.ts';
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
  it('returns ready and waiting transactions with their tags, and the bans', async () => {
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
    // Immortal: valid as long as CheckMortality defines from block 1 on, with all digits.
    expect(pool.ready[0]?.validTill).toBe('18446744073709551614');
    expect(BigInt(pool.ready[0]?.priority ?? 0)).toBeGreaterThan(0n);
    const before = dev.platform.now();
    await dev.call('author_removeExtrinsic', [{ hash }]);
    const after = await read();
    expect(after.future).toEqual([]);
    expect(after.banned).toMatchObject([{ hash }]);
    expect(after.banned[0]?.untilMs).toBeGreaterThan(before);
  });
});

describe('a block that cannot include the whole pool', () => {
  /** Remarks of which two fit into a block, and one that depends on the third. */
  const fill = async (): Promise<string[]> => {
    const { api, close } = await openApi(dev.node);
    const hashes: string[] = [];
    const remark = `0x${'00'.repeat(1_500_000)}`;
    for (const [suri, nonce, bytes] of [
      ['//Alice', 0, remark],
      ['//Bob', 0, remark],
      ['//Charlie', 0, remark],
      ['//Charlie', 1, '0x01'],
    ] as const) {
      const tx = await api.tx['system']?.['remark']?.(bytes).signAsync(dev.pair(suri), { nonce, era: 0 });
      hashes.push(await dev.call('author_submitExtrinsic', tx?.toHex()));
    }
    await close();
    return hashes;
  };
  type Left = { hash: string; reason: string }[];

  it('dev_seal reports which transactions it left out and why', { timeout: 60_000 }, async () => {
    const hashes = await fill();
    const first = await dev.call<{ included: number; left: Left }>('dev_seal');
    expect(methodResults.dev_seal.schema.safeParse(first).success).toBe(true);
    expect(first.included).toBe(2);
    expect(first.left).toEqual([
      { hash: hashes[2], reason: 'full' },
      { hash: hashes[3], reason: 'dependent' },
    ]);
    const pool = await dev.call<Pool>('dev_pool');
    expect(pool.ready.map(({ hash }) => hash)).toEqual(hashes.slice(2));
    expect(await dev.call('dev_seal')).toMatchObject({ left: [] });
    expect((await dev.call<Pool>('dev_pool')).ready).toEqual([]);
  });

  it('dev_newBlock returns only the hash, and the log has the report', { timeout: 60_000 }, async () => {
    const lines = (await dev.follow('dev_subscribeLogs')) as {
      target: string;
      level: string;
      text: string;
    }[];
    await fill();
    const hash = await dev.call('dev_newBlock');
    expect(hash).toBe(dev.best().hash);
    await expect
      .poll(() => lines.filter(({ target }) => target === 'author'))
      .toMatchObject([{ level: 'warn', block: 1, text: expect.stringContaining('left 2 ready') }]);
    await dev.call('dev_newBlock');
    await dev.call('dev_newBlock');
    expect(lines.filter(({ target }) => target === 'author')).toHaveLength(1);
  });

  it('dev_newBlock with `report` returns which transactions the block left out and why', {
    timeout: 60_000,
  }, async () => {
    await fill();
    expect(await dev.call('dev_newBlock', { report: true })).toEqual({
      hash: dev.best().hash,
      left: [
        { hash: expect.stringMatching(/^0x/), reason: 'full' },
        { hash: expect.stringMatching(/^0x/), reason: expect.any(String) },
      ],
    });
    expect(await dev.call('dev_newBlock', { report: true })).toEqual({ hash: dev.best().hash, left: [] });
  });
});
