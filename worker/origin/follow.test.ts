import { beforeEach, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { type Behavior, createFakeEndpoint, openOrigin } from './fake-endpoint.fixture.ts';
import { createLiveChain, type LiveChain, Refused } from './live-chain.fixture.ts';
import type { OriginEndpoint, ProviderEndpoint } from './origin.ts';

const newHeads = 'chain_subscribeNewHeads';
const finalizedHeads = 'chain_subscribeFinalizedHeads';

let chain: LiveChain;
beforeEach(async () => {
  chain = await createLiveChain({ blocks: 6 });
});

const headerOf = (number: number) => chain.handle('chain_getHeader', [chain.blocks[number]?.hash]);
const numberOf = (hash: Uint8Array) => chain.blocks.findIndex((one) => one.hash === bytesToHex(hash));
/** Without subscriptions, as over HTTP. */
const unsubscribable: Behavior = {
  result: ({ method }, honest) => {
    if (method.includes('ubscribe')) throw new Refused(-32601, 'Method not found');
    return honest();
  },
};

const followed = (rig: ReturnType<typeof openOrigin>, which: 'best' | 'finalized') => {
  const numbers: number[] = [];
  const stop = rig.origin.follow(which, (hash) => numbers.push(numberOf(hash)));
  return { numbers, stop };
};

describe('following a chain', () => {
  it('starts with the current head and reports each further one', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const rig = openOrigin(chain, [endpoint]);
    const { numbers, stop } = followed(rig, 'best');
    await rig.time.pass(0);
    expect(numbers).toEqual([6]);
    expect(endpoint.feeds(newHeads)).toBe(1);
    chain.grow();
    endpoint.notify(newHeads, headerOf(7));
    endpoint.notify(newHeads, headerOf(7));
    endpoint.notify(newHeads, { parentHash: 5 });
    endpoint.notify(newHeads, null);
    endpoint.notify(newHeads, { ...(headerOf(7) as object), digest: { logs: ['0xff'] } });
    chain.grow();
    endpoint.notify(newHeads, headerOf(8));
    expect(numbers).toEqual([6, 7, 8]);
    // The headers of notifications are not asked for again.
    const asked = endpoint.count('chain_getHeader');
    await rig.until(rig.origin.header(hexToBytes(chain.blocks[8]?.hash as string)));
    expect(endpoint.count('chain_getHeader')).toBe(asked);
    stop();
    endpoint.notify(newHeads, headerOf(6));
    chain.grow();
    await rig.time.pass(100_000);
    expect(numbers).toEqual([6, 7, 8]);
    rig.origin.close();
  });

  it('says once that nobody responds, and again after somebody did', async () => {
    let isOff = false;
    const endpoint = createFakeEndpoint('honest', chain, {
      ...unsubscribable,
      result: (request, honest) => {
        if (isOff) throw new Refused(-32603, 'Internal error');
        return unsubscribable.result?.(request, honest);
      },
    });
    const rig = openOrigin(chain, [endpoint]);
    const faults: unknown[] = [];
    rig.origin.follow(
      'best',
      () => undefined,
      (error) => faults.push((error as { code?: string }).code),
    );
    await rig.time.pass(10_000);
    expect(faults).toEqual([]);
    isOff = true;
    await rig.time.pass(600_000);
    expect(faults).toEqual(['EndpointFailed']);
    isOff = false;
    await rig.time.pass(600_000);
    isOff = true;
    await rig.time.pass(600_000);
    expect(faults).toHaveLength(2);
    rig.origin.close();
    await rig.time.pass(600_000);
    expect(faults).toHaveLength(2);
  });

  it('follows finalized blocks, which never go back', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const rig = openOrigin(chain, [endpoint]);
    const { numbers } = followed(rig, 'finalized');
    await rig.time.pass(0);
    expect(numbers).toEqual([4]);
    endpoint.notify(finalizedHeads, headerOf(6));
    endpoint.notify(finalizedHeads, headerOf(5));
    expect(numbers).toEqual([4, 6]);
    rig.origin.close();
  });

  it('a made-up head that is far above the others does not hide those that follow', async () => {
    const liar = createFakeEndpoint('liar', chain);
    const honest = createFakeEndpoint('honest', chain);
    for (const [which, feed, first] of [
      ['best', newHeads, 6],
      ['finalized', finalizedHeads, 4],
    ] as const) {
      const rig = openOrigin(chain, [liar, honest]);
      const { numbers } = followed(rig, which);
      await rig.time.pass(1000);
      const at = liar.feeds(feed) === 1 ? liar : honest;
      const other = at === liar ? honest : liar;
      at.notify(feed, { ...(headerOf(6) as object), number: '0xfffffff0' });
      await rig.time.pass(1);
      expect(other.feeds(feed)).toBe(1);
      other.notify(feed, headerOf(5));
      other.notify(feed, headerOf(6));
      expect(numbers).toEqual(which === 'best' ? [first] : [first, 5, 6]);
      rig.origin.close();
    }
  });

  it('asks for the head where there are no subscriptions', async () => {
    const rig = openOrigin(chain, [createFakeEndpoint('http', chain, unsubscribable)]);
    const { numbers } = followed(rig, 'best');
    await rig.time.pass(0);
    chain.grow();
    await rig.time.pass(3000);
    chain.grow();
    chain.grow();
    await rig.time.pass(3000);
    expect(numbers).toEqual([6, 7, 9]);
    expect(rig.errors).toEqual([]);
    rig.origin.close();
  });

  it('moves to another endpoint when the connection ends, and when the subscription falls silent', async () => {
    const first = createFakeEndpoint('first', chain);
    const second = createFakeEndpoint('second', chain);
    const rig = openOrigin(chain, [first, second]);
    const { numbers } = followed(rig, 'best');
    await rig.time.pass(1);
    const to = first.feeds(newHeads) === 1 ? second : first;
    expect(to.feeds(newHeads)).toBe(0);
    // It reports nothing at all.
    for (let at = 0; at < 6; at += 1) chain.grow();
    await rig.time.pass(30_000);
    expect(numbers).toEqual([6, 12]);
    expect(to.feeds(newHeads)).toBe(1);
    chain.grow();
    to.notify(newHeads, headerOf(13));
    expect(numbers).toEqual([6, 12, 13]);
    rig.origin.close();
  });

  it('goes on when its only endpoint comes back', async () => {
    let isGone = false;
    const endpoint = createFakeEndpoint('cut', chain, { text: (_, text) => (isGone ? '{' : text) });
    const rig = openOrigin(chain, [endpoint]);
    const { numbers } = followed(rig, 'best');
    await rig.time.pass(0);
    isGone = true;
    // Any call ends the connection.
    await expect(rig.until(rig.origin.hashAt(1))).rejects.toMatchObject({ code: 'EndpointFailed' });
    await rig.time.pass(20_000);
    chain.grow();
    isGone = false;
    await rig.time.pass(20_000);
    expect(numbers).toEqual([6, 7]);
    rig.origin.close();
  });

  it('ends a subscription that opens too late', async () => {
    const endpoint = createFakeEndpoint('slow', chain);
    let late: (() => void) | null = null;
    const slow: OriginEndpoint = {
      name: 'slow',
      provider: (onMessage) => {
        const inner = (endpoint.endpoint as ProviderEndpoint).provider((text) => {
          const isFirst = late === null && String(text).includes('feed chain_subscribeNewHeads');
          if (isFirst) late = () => onMessage(text);
          else onMessage(text);
        });
        return { send: (text) => inner.send(text), disconnect: () => undefined };
      },
    };
    const rig = openOrigin(chain, [slow], { times: { watchMs: 1e9, pollMs: 1e9 } });
    rig.origin.follow('best', () => undefined);
    // Another call keeps the connection open, on which the subscription is then late.
    await rig.time.pass(14_000);
    await rig.until(rig.origin.hashAt(2));
    await rig.time.pass(2000);
    (late as (() => void) | null)?.();
    await rig.time.pass(0);
    expect(endpoint.count('chain_unsubscribeNewHeads')).toBe(1);
    rig.origin.close();
  });

  it('reports what a listener throws, and goes on', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const rig = openOrigin(chain, [endpoint]);
    rig.origin.follow('best', () => {
      throw new Error('listener');
    });
    await rig.time.pass(0);
    chain.grow();
    endpoint.notify(newHeads, headerOf(7));
    expect(rig.errors).toEqual([new Error('listener'), new Error('listener')]);
    rig.origin.close();
  });
});

describe('what a block changed', () => {
  const hash = () => hexToBytes(chain.blocks[3]?.hash as string);
  const offering: Behavior = {
    result: ({ method }, honest) =>
      method === 'rpc_methods' ? { methods: ['state_getReadProof', 'archive_v1_storageDiff'] } : honest(),
  };
  const feed = 'archive_v1_storageDiff';

  it('is a hint where it is offered', async () => {
    const endpoint = createFakeEndpoint('archive', chain, offering);
    const rig = openOrigin(chain, [endpoint, createFakeEndpoint('other', chain)]);
    const keys = rig.origin.diff(hash());
    await rig.time.pass(501);
    endpoint.notify(feed, { event: 'storageDiff', key: '0x0102', hash: '0x00', type: 'modified' });
    endpoint.notify(feed, { event: 'storageDiff', key: '0x03', type: 'deleted' });
    endpoint.notify(feed, { event: 'storageDiffDone' });
    expect(await rig.until(keys)).toEqual([Uint8Array.of(1, 2), Uint8Array.of(3)]);
    expect(endpoint.calls.find(({ method }) => method === feed)?.params).toEqual([
      bytesToHex(hash()),
      [{ key: '0x', returnType: 'hash' }],
    ]);
    rig.origin.close();
  });

  it('is null where it is not offered, or does not work', async () => {
    const rig = openOrigin(chain, [createFakeEndpoint('other', chain)]);
    expect(await rig.until(rig.origin.diff(hash()))).toBeNull();
    rig.origin.close();
    for (const item of [
      { event: 'storageDiffError', error: 'no' },
      { event: 'storageDiff', key: 7 },
      'text',
      null,
    ]) {
      const endpoint = createFakeEndpoint('archive', chain, offering);
      const broken = openOrigin(chain, [endpoint]);
      const keys = broken.origin.diff(hash());
      await broken.time.pass(0);
      expect(endpoint.feeds(feed)).toBe(1);
      endpoint.become({ ...offering, text: ({ method }, text) => (method === feed ? null : text) });
      endpoint.notify(feed, item);
      expect(await broken.until(keys)).toBeNull();
      broken.origin.close();
    }
  });

  it('does not take forever', async () => {
    const endpoint = createFakeEndpoint('archive', chain, offering);
    const rig = openOrigin(chain, [endpoint]);
    const before = rig.time.now();
    expect(await rig.until(rig.origin.diff(hash()))).toBeNull();
    expect(rig.time.now() - before).toBe(3 * 20_000 + 300 + 1500);
    rig.origin.close();
  });

  it('is no help if it is without end', async () => {
    const endpoint = createFakeEndpoint('archive', chain, offering);
    const rig = openOrigin(chain, [endpoint]);
    const before = rig.time.now();
    const keys = rig.origin.diff(hash());
    await rig.time.pass(0);
    for (let at = 0; at <= 100_000; at += 1)
      endpoint.notify(feed, { event: 'storageDiff', key: '0x0102', hash: '0x00', type: 'added' });
    expect(await rig.until(keys)).toBeNull();
    expect(rig.time.now()).toBe(before);
    rig.origin.close();
  });
});

describe('progress', () => {
  it('is reported at most once per turn', async () => {
    const rig = openOrigin(chain, [createFakeEndpoint('honest', chain)]);
    const seen: number[] = [];
    const stop = rig.origin.onProgress(() => seen.push(rig.origin.stats().requests));
    await rig.until(rig.origin.hashAt(3));
    expect(seen.at(-1)).toBe(rig.origin.stats().requests);
    expect(seen.length).toBeGreaterThan(1);
    expect(rig.origin.stats().bytes).toBeGreaterThan(200);
    const before = seen.length;
    stop();
    await rig.until(rig.origin.hashAt(4));
    expect(seen.length).toBe(before);
    rig.origin.close();
  });
});
