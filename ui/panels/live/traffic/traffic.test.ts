import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rpcTable } from '../../../../src/protocol/rpc/index.ts';
import { previewParams, textBody, valueBody, weightOf } from '../../../node/client/exchange.ts';
import { createClientReader } from '../../../node/client/other-clients.ts';
import { isAct, Traffic } from '../../../node/client/traffic.svelte.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import { readTraffic } from '../recording/read-recording.ts';
import { Recorder } from '../recording/recorder.svelte.ts';
import { readFace } from '../subscriptions/subscription-view.ts';
import { readSubscriptionCalls, writeSubscriptionCalls } from '../subscriptions/subscriptions.svelte.ts';
import { noFilter, TrafficView } from './traffic-view.svelte.ts';

beforeAll(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const call = (traffic: Traffic, size: number) => {
  const exchange = traffic.open('call', {
    client: 'page',
    method: 'a_b',
    isOwn: false,
    ask: textBody(''),
    atMs: 1,
  });
  const answer = valueBody('x'.repeat(size));
  traffic.answer(exchange, { state: 'ok', answer, ms: 1 });
  return exchange;
};

describe('a recording', () => {
  it('that is stopped before it starts leaves nothing open, and is not reported as an empty one; stop() waits for the last messages', async () => {
    let open: () => void = () => undefined;
    let say: (batch: unknown) => void = () => undefined;
    const close = vi.fn();
    const subscribe = (_method: string, _params: unknown, listen: typeof say) => {
      say = listen;
      return Promise.resolve();
    };
    const one = { kind: 'request', connection: 1, atMs: 0, length: 2, text: '{}' };
    const request = async () => {
      await Promise.resolve();
      say({ items: [one, one], dropped: 3 });
      return true;
    };
    const connect = () =>
      new Promise((resolve) => {
        open = () => resolve({ subscribe, request, close });
      });
    const recorder = new Recorder({ connect } as unknown as UiNode);
    const first = recorder.start();
    expect([recorder.on, recorder.isOpen]).toEqual([true, false]);
    void recorder.stop();
    expect(recorder.fault).toBeNull();
    open();
    await first;
    await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1));
    const second = recorder.start();
    open();
    await second;
    expect(recorder.isOpen).toBe(true);
    await Promise.all([recorder.stop(), recorder.stop()]);
    expect([recorder.count, recorder.missed, recorder.fault, recorder.on]).toEqual([2, 3, null, false]);
    expect(close).toHaveBeenCalledTimes(2);
  });
});

describe('the log of the traffic', () => {
  it('keeps a bounded number of exchanges, and does not drop open ones', () => {
    const traffic = new Traffic();
    const open = traffic.open('subscription', {
      client: 'page',
      method: 's',
      isOwn: false,
      ask: textBody(''),
      atMs: 1,
    });
    traffic.answer(open, { state: 'open', answer: null, ms: 1 });
    for (let count = 0; count < 6000; count++) call(traffic, 1);
    expect(traffic.exchanges.length).toBeLessThanOrEqual(2501);
    expect(traffic.exchanges[0]).toBe(open);
    for (let count = 0; count < 1000; count++) traffic.note(open, valueBody('note'), count);
    expect(open.notes.length).toBeLessThanOrEqual(250);
    expect(open.count).toBe(1000);
    expect(open.notes.at(-1)?.id).toBe(1000);
  });

  it('keeps what the user and other clients call, however much the page reads', () => {
    const traffic = new Traffic(undefined, { exchanges: 100, own: 20, open: 5, notes: 10, weight: 10_000 });
    const read = (client: string, isOwn: boolean, size: number, atMs: number) => {
      const asked = { client, method: 'a_b', isOwn, ask: textBody(''), atMs };
      const exchange = traffic.open('call', asked);
      traffic.answer(exchange, { state: 'ok', answer: valueBody('x'.repeat(size)), ms: 1 });
      return exchange;
    };
    const pending = traffic.open('subscription', {
      client: 'devtools',
      method: 's',
      isOwn: true,
      ask: textBody(''),
      atMs: 0,
    });
    const mine = Array.from({ length: 90 }, (_, at) => read('page', false, 50, at));
    for (let at = 0; at < 5000; at += 1) read('devtools', true, 400, 100 + at);
    const kept = traffic.exchanges;
    expect(kept.filter(({ isOwn }) => !isOwn)).toEqual(mine);
    expect(kept.filter(({ isOwn }) => isOwn).length).toBeLessThanOrEqual(26);
    expect(kept[0]).toBe(pending);
    // In the order of opening, and with the bodies of what the user called.
    expect(kept.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(new Set(mine.map(({ answer }) => answer?.kind))).toEqual(new Set(['value']));
    for (let at = 0; at < 500; at += 1) read('page', false, 10, 9000 + at);
    expect(traffic.exchanges.filter(({ isOwn }) => !isOwn).length).toBeLessThanOrEqual(125);
    expect(traffic.exchanges.filter(({ isOwn }) => isOwn).length).toBeGreaterThanOrEqual(20);
    // Another tab’s devtools turn out to be what a client is: its reads are counted with the page’s from then on.
    traffic.rename('page', 'other devtools 1');
    read('devtools', true, 10, 9999);
    expect(traffic.exchanges.length).toBeLessThanOrEqual(27);
  });

  it('drops the oldest bodies above its limit, and tracks its weight', () => {
    const traffic = new Traffic(undefined, { exchanges: 100, own: 10, open: 10, notes: 10, weight: 10_000 });
    const first = call(traffic, 3000);
    for (let count = 0; count < 5; count++) call(traffic, 3000);
    const weight = () => traffic.exchanges.reduce((sum, { answer }) => sum + (answer?.weight ?? 0), 0);
    expect(weight()).toBeLessThanOrEqual(10_000);
    expect(first.answer).toEqual({ kind: 'gone', weight: 0 });
    expect(traffic.exchanges.at(-1)?.answer?.kind).toBe('value');
    traffic.clear();
    expect(traffic.exchanges).toHaveLength(0);
    // What was cleared is no longer counted: as much fits again.
    const again = [3000, 3000, 3000].map((size) => call(traffic, size));
    expect(again.map(({ answer }) => answer?.kind)).toEqual(['value', 'value', 'value']);
  });

  it('names the devtools of another tab, from their first call on, and counts their reads as devtools’', () => {
    const traffic = new Traffic();
    const greet = vi.fn();
    const read = createClientReader(traffic, greet);
    const asks = (connection: number, call: number, method: string, params = '[]') => ({
      kind: 'request',
      transport: 'port',
      text: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
      ...{ connection, call, method, subscription: null, atMs: 1, length: 99, ms: null, isError: false },
    });
    const all = [
      asks(2, 1, 'chain_getHeader'),
      asks(3, 2, 'chain_getHeader'),
      asks(4, 3, 'dev_subscribeTraffic', '[2000]'),
      asks(2, 4, 'dev_subscribeTraffic'),
      asks(2, 5, 'system_properties'),
      asks(2, 6, 'author_submitExtrinsic'),
    ];
    read({ items: all as never, dropped: 0 });
    expect(traffic.exchanges.map(({ client, isOwn }) => [client, isOwn])).toEqual([
      ['other devtools 2', true],
      ['port 3', false],
      ['port 4', false],
      ['other devtools 2', true],
      ['other devtools 2', true],
      ['other devtools 2', false],
    ]);
    expect(traffic.last?.method).toBe('author_submitExtrinsic');
    // Those that listened before say so, and are not greeted.
    read({ items: [asks(3, 7, 'dev_unsubscribeTraffic', '[""]')] as never, dropped: 0 });
    expect(greet).toHaveBeenCalledOnce();
    expect(traffic.exchanges.at(1)).toMatchObject({ client: 'other devtools 3', isOwn: true });
    const alone = new Traffic();
    createClientReader(alone)({ items: [all[0], all[3]] as never, dropped: 0 });
    expect(alone.last).toBeNull();
    // A subscription that is older than this log is known by its notifications.
    const note = { ...asks(2, 0, 'chain_newHead'), kind: 'notification', subscription: 'a' };
    read({ items: [note] as never, dropped: 0 });
    expect(traffic.exchanges.at(-1)).toMatchObject({ method: 'chain_newHead', isOwn: true });
    read({ items: [{ ...asks(2, 0, ''), kind: 'close' }] as never, dropped: 0 });
    expect(traffic.exchanges.map(({ state }) => state)).toEqual([
      'unanswered',
      'pending',
      'pending',
      'unanswered',
      'unanswered',
      'unanswered',
      'pending',
      'closed',
    ]);
  });

  it('counts reads of the page as its own, but never calls that change something', () => {
    expect(Object.keys(rpcTable).filter(isAct).sort()).toMatchInlineSnapshot(`
      [
        "author_insertKey",
        "author_removeExtrinsic",
        "author_rotateKeys",
        "author_rotateKeysWithOwner",
        "author_submitAndWatchExtrinsic",
        "author_submitExtrinsic",
        "dev_deleteSnapshot",
        "dev_finalise",
        "dev_fund",
        "dev_impersonate",
        "dev_importChain",
        "dev_newBlock",
        "dev_reset",
        "dev_restore",
        "dev_seal",
        "dev_setBlockBuildMode",
        "dev_setFinality",
        "dev_setHead",
        "dev_setRuntimeLogLevel",
        "dev_setSealMode",
        "dev_setStorage",
        "dev_snapshot",
        "dev_timeTravel",
        "engine_createBlock",
        "engine_finalizeBlock",
        "offchain_localStorageClear",
        "offchain_localStorageSet",
        "system_addLogFilter",
        "system_addReservedPeer",
        "system_removeReservedPeer",
        "system_resetLogFilter",
        "transactionWatch_v1_submitAndWatch",
        "transaction_v1_broadcast",
        "transaction_v1_stop",
      ]
    `);
  });

  it('returns the newest call that is not one of the page’s own reads', () => {
    const traffic = new Traffic();
    const shown = call(traffic, 1);
    traffic.open('call', { client: 'page', method: 'own', isOwn: true, ask: textBody(''), atMs: 1 });
    expect(traffic.last).toBe(shown);
  });

  it('counts the messages of the page’s own reads apart', () => {
    const traffic = new Traffic();
    call(traffic, 1);
    const own = traffic.open('call', {
      client: 'page',
      method: 'own',
      isOwn: true,
      ask: textBody(''),
      atMs: 1,
    });
    traffic.answer(own, { state: 'ok', answer: null, ms: 1 });
    traffic.note(own, textBody(''), 2);
    expect([traffic.messages, traffic.ownMessages]).toEqual([3, 2]);
  });

  it('hides the page’s own reads, and excludes them from the waiting count', () => {
    const traffic = new Traffic();
    const view = new TrafficView(traffic);
    const say = (isOwn: boolean) =>
      traffic.open('call', { client: 'page', method: 'a_b', isOwn, ask: textBody(''), atMs: 1 });
    for (const isOwn of [true, false, true]) say(isOwn);
    expect([view.shown, view.total, view.own]).toEqual([1, 1, 2]);
    view.tail.pause(true);
    for (const isOwn of [true, false, true]) say(isOwn);
    expect([view.shown, view.waiting]).toEqual([1, 1]);
    view.filter = { ...noFilter, own: true };
    expect([view.shown, view.total, view.waiting]).toEqual([3, 3, 3]);
    view.tail.pause(false);
    expect([view.shown, view.total, view.waiting]).toEqual([6, 6, 0]);
  });

  it('finds a method however it is spelled, and words of params and results, but not of what every message has', () => {
    const traffic = new Traffic();
    const ask = textBody('{"jsonrpc":"2.0","id":1,"method":"chain_getBlockHash","params":["needle"]}');
    const asked = { client: 'ws 1', method: 'chain_getBlockHash', isOwn: false, ask, atMs: 1 };
    const answer = textBody('{"jsonrpc":"2.0","id":1,"result":"0xabcd"}');
    traffic.answer(traffic.open('call', asked), { state: 'ok', ms: 1, answer });
    const view = new TrafficView(traffic);
    const finds = (text: string) => {
      view.filter = { ...noFilter, text };
      return view.shown === 1;
    };
    const found = [
      'chain.getBlockHash',
      'get_block_hash',
      'GETBLOCK chain',
      'needle',
      '0xab',
      'ws',
      '"0xabcd"',
    ];
    expect(found.filter((text) => !finds(text))).toEqual([]);
    expect(['jsonrpc', 'params', 'result', '"id"', '{', 'system'].filter(finds)).toEqual([]);
    view.filter = { ...noFilter, method: 'chain.getBlock' };
    expect(view.shown).toBe(1);
  });

  it('estimates the weight of values without serializing them', () => {
    expect(weightOf({ a: 'x'.repeat(1000), b: [1, 2, ['y'.repeat(10)]] })).toBeGreaterThan(1010);
    expect(weightOf(new Array(300_000).fill('z'))).toBeLessThan(500_000);
  });
});

describe('a recording as traffic', () => {
  const line = (ms: number, arrow: string, text: string) => `1-2026-01-02T03:04:05.${ms}Z-${arrow}-${text}`;
  it('matches responses and notifications with their requests', () => {
    const traffic = readTraffic(
      [
        line(100, '>>', '{"jsonrpc":"2.0","id":"a","method":"x_watch","params":[]}'),
        line(103, '<<', '{"jsonrpc":"2.0","id":"a","result":"s1"}'),
        line(104, '<<', '{"jsonrpc":"2.0","method":"x_item","params":{"subscription":"s1","result":5}}'),
        line(105, '>>', '[{"jsonrpc":"2.0","id":1,"method":"a_b"},{"jsonrpc":"2.0","id":2,"method":"a_c"}]'),
        line(109, '<<', '[{"jsonrpc":"2.0","id":2,"error":{"code":1}},{"jsonrpc":"2.0","id":1,"result":1}]'),
        line(110, '>>', '{"jsonrpc":"2.0","id":3,"method":"never_answered"}'),
      ].join('\n'),
    );
    expect(traffic.exchanges.map(({ method, state, ms, count }) => [method, state, ms, count])).toEqual([
      ['x_watch', 'open', 3, 1],
      ['a_b', 'ok', 4, 0],
      ['a_c', 'error', 4, 0],
      ['never_answered', 'pending', null, 0],
    ]);
  });
});

describe('the kind of a notification', () => {
  it('is a header with the slot and the authority claimed in its digest', () => {
    const header = (logs: readonly string[]) => ({ parentHash: '0x00', number: '0x10', digest: { logs } });
    const plain = '0x06424142453402030000004d0ad61100000000';
    const read = (logs: readonly string[]) => readFace('chain_subscribeNewHeads', header(logs));
    const of = { kind: 'header', number: 16 };
    expect(read(['0x0446524e4b00', plain])).toEqual({ ...of, slot: 299_240_013, authority: 3 });
    expect(read(['0x0661757261200900000000000000'])).toEqual({ ...of, slot: 9, authority: null });
    expect(read(['0x0500'])).toEqual({ ...of, slot: null, authority: null });
  });

  it('distinguishes statuses, changes and versions', () => {
    const watch = 'author_submitAndWatchExtrinsic';
    const of = { kind: 'status', block: null, isIncluded: false };
    expect(readFace(watch, 'ready')).toEqual({ ...of, word: 'ready' });
    expect(readFace(watch, { inBlock: '0x1' })).toEqual({
      ...of,
      word: 'inBlock',
      block: '0x1',
      isIncluded: true,
    });
    expect(readFace(watch, { retracted: '0x1' })).toEqual({ ...of, word: 'retracted', block: '0x1' });
    expect(readFace(watch, { usurped: '0x1' })).toEqual({ ...of, word: 'usurped' });
    const events = 'transactionWatch_v1_submitAndWatch';
    const block = { hash: '0x1', index: 1 };
    expect(readFace(events, { event: 'bestChainBlockIncluded', block })).toEqual({
      ...of,
      word: 'bestChainBlockIncluded',
      block: '0x1',
      isIncluded: true,
    });
    expect(readFace(events, { event: 'bestChainBlockIncluded', block: null })).toEqual({
      ...of,
      word: 'bestChainBlockIncluded',
    });
    expect(readFace('x', { block: '0x1', changes: [] }).kind).toBe('storage');
    expect(readFace('x', { specName: 'a', specVersion: 3 })).toEqual({
      kind: 'version',
      name: 'a',
      version: 3,
    });
    expect(readFace('x', null)).toEqual({ kind: 'json' });
  });
});

describe('small things', () => {
  it('stores subscriptions in the URL, and rejects invalid lists', () => {
    const calls = [{ method: 'a', params: [1, ['0x']] }];
    expect(readSubscriptionCalls(writeSubscriptionCalls(calls))).toEqual(calls);
    expect(readSubscriptionCalls('["a"]')).toEqual([{ method: 'a', params: [] }]);
    expect([readSubscriptionCalls('{'), readSubscriptionCalls('{}')]).toEqual([null, null]);
  });
});

describe('the parameters of a request in one line', () => {
  it('are extracted from anywhere in the message', () => {
    expect(previewParams(valueBody(['0x01', null]), 40)).toBe('["0x01",null]');
    expect(previewParams(textBody('{"params":[18446744073709551615],"id":2,"method":"a_b"}'), 40)).toBe(
      '[18446744073709551615]',
    );
    expect(previewParams(textBody('{"jsonrpc":"2.0","id":2,"method":"a_b"}'), 40)).toBe('');
  });

  it('are truncated with the message, and a message that is not a request is shown as it came', () => {
    const cut = `{"jsonrpc":"2.0","id":2,"method":"a_b","params":["${'f'.repeat(60)}`;
    expect(previewParams(textBody(cut, 5000), 10)).toBe('["ffffffff…');
    expect(previewParams(textBody('no JSON'), 40)).toBe('no JSON');
    expect(previewParams(textBody('[1]'), 40)).toBe('[1]');
  });
});
