import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNode } from '../../worker/node.ts';
import { followLive } from '../fork/follow-live.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { createCalls } from './limit-calls.ts';
import { startSealing } from './native-pair.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

const blocks = 200;
/** So many blocks have a transfer to an account that does not exist. */
const every = 4;

describe.skipIf(!hasNativeNode)('follow, against a native node (shared native-node)', () => {
  let native: NativeNode;
  beforeAll(async () => {
    native = await unpackNativeNode();
  }, 240_000);
  afterAll(() => native.close());

  it(`${blocks} live blocks, some with transfers, all have the same root`, async () => {
    const node = await createNode(createTestPlatform(), testConfig('development'));
    const theirs = await startSealing(native, await native.writeSpec(node));
    const calls = await createCalls(node);
    const first = Promise.withResolvers<void>();
    const following = followLive(`ws://127.0.0.1:${theirs.port}`, blocks, () => first.resolve());
    await Promise.race([first.promise, theirs.seal().then(() => first.promise), following]);
    let isDone = false;
    const ended = following.finally(() => {
      isDone = true;
    });
    for (let nonce = 0; !isDone && nonce < blocks / every; nonce++) {
      const to = new Uint8Array(32).fill(100 + nonce);
      await theirs.include(calls.sign(calls.pick('balances', 'transferKeepAlive', to, 10n ** 12n), nonce));
      for (let empty = 1; empty < every; empty++) await theirs.seal();
    }
    // Some transactions are included at once, so that fewer blocks than that were made.
    while (!isDone) await Promise.race([theirs.seal(), ended]);
    const reports = await ended;
    expect(reports.filter(({ isSame }) => !isSame)).toEqual([]);
    expect(reports.map(({ number }) => number)).toEqual(
      reports.map((_, index) => (reports[0]?.number ?? 0) + index),
    );
    expect(reports.length).toBe(blocks);
    expect(reports.filter(({ extrinsics }) => extrinsics > 1).length).toBeGreaterThanOrEqual(
      blocks / every - 1,
    );
    await theirs.stop();
    await calls.close();
    await node.close();
  }, 240_000);
});
