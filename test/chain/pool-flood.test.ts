import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi } from '../rigs/api.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

// Floods of transactions that are valid one by one. The future queue has a tenth of the limit.
const limit = 50;
const futureLimit = limit / 10;

let dev: DevNode;
let sign: (from: string, nonce: number, value: number, tip?: number) => Promise<string>;
let close: () => Promise<void>;

beforeAll(async () => {
  dev = await startDevNode({ changes: { pool: { limit, kbytes: 1024, banSeconds: 60 } } });
  const opened = await openApi(dev.node);
  close = opened.close;
  const to = dev.pair('//Zoe').publicKey;
  sign = async (from, nonce, value, tip = 0) => {
    const transfer = opened.api.tx['balances']?.['transferAllowDeath']?.(to, BigInt(value) * 10n ** 12n);
    const signed = await transfer?.signAsync(dev.pair(from), { nonce, era: 0, tip });
    return signed?.toHex() ?? '';
  };
});
afterAll(async () => {
  await close();
  await dev.stop();
});

/** The outcomes of submissions, by error code (0: accepted), with their numbers. */
const flood = async (count: number, make: (at: number) => Promise<string>) => {
  const outcomes = new Map<number, number>();
  for (let at = 0; at < count; at += 1) {
    const extrinsic = await make(at);
    const code = await dev.call('author_submitExtrinsic', extrinsic).then(
      () => 0,
      (error: { readonly code: number }) => error.code,
    );
    outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    const { ready, future } = await dev.node.status();
    expect(ready).toBeLessThanOrEqual(limit);
    expect(future).toBeLessThanOrEqual(futureLimit);
  }
  return Object.fromEntries(outcomes);
};

it('200 future transactions of one account keep within the queue, and others are served', async () => {
  // As in the SDK, each drops the one that waits longest, which is banned.
  expect(await flood(200, (at) => sign('//Alice', at + 1, 1))).toEqual({ 0: 200 });
  expect((await dev.node.status()).future).toBe(futureLimit);
  const banned = dev.node.parts.pool.banned();
  expect(banned).toHaveLength(200 - futureLimit);
  await dev.call('author_submitExtrinsic', await sign('//Bob', 0, 1));
  await dev.call('dev_newBlock');
  expect(await dev.call('system_accountNextIndex', dev.pair('//Bob').address)).toBe(1);
});

it('200 transactions with the nonce of another one are refused, or replace it if they pay more', async () => {
  expect(await flood(100, (at) => sign('//Charlie', 0, at + 1))).toEqual({ 0: 1, 1014: 99 });
  expect(await flood(100, (at) => sign('//Charlie', 0, 1, 1_000_000 * (at + 1)))).toEqual({ 0: 100 });
  expect((await dev.node.status()).ready).toBe(1);
  await dev.call('dev_newBlock');
  expect(await dev.call('system_accountNextIndex', dev.pair('//Charlie').address)).toBe(1);
  expect((await dev.node.status()).ready).toBe(0);
});
