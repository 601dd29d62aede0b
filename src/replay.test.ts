import { describe, expect, it } from 'vitest';
import { NodeError } from './protocol/errors.ts';
import { readRecording, writeRecordLine } from './record.ts';
import { createReplayConnection } from './replay.ts';

const lines = (...texts: readonly (readonly [client: number, arrow: '>>' | '<<', text: string])[]): string =>
  texts
    .map(([client, arrow, text], index) => `${client}-2026-01-02T03:04:05.${100 + index}Z-${arrow}-${text}`)
    .join('\n');

const ask = (id: number, method: string, params: unknown = []): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const note = (subscription: string, result: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'chain_newHead', params: { subscription, result } });

const recording = lines(
  [1, '>>', ask(7, 'chain_getHeader')],
  [2, '>>', ask(7, 'system_chain')],
  [1, '<<', '{"jsonrpc":"2.0","id":7,"result":1}'],
  [2, '<<', '{"jsonrpc":"2.0","id":7,"result":"Second"}'],
  [1, '>>', ask(8, 'chain_getHeader')],
  [1, '>>', ask(9, 'chain_subscribeNewHeads')],
  [1, '<<', '{"jsonrpc":"2.0","id":8,"result":340282366920938463463374607431768211455}'],
  [1, '<<', '{"jsonrpc":"2.0","id":9,"result":"sub1"}'],
  [1, '<<', note('sub1', 'a')],
  [1, '>>', ask(10, 'state_call', ['x', '0x'])],
  [1, '<<', '{"jsonrpc":"2.0","id":10,"error":{"code":4003,"message":"No","data":"why"}}'],
  [1, '<<', note('sub1', 'b')],
);

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('the lines of a recording', () => {
  it('have the format of the logs provider, in both directions', () => {
    const message = {
      client: 3,
      atMs: 1_700_000_000_123,
      direction: 'out',
      text: '{"a":\n"1-2->>-3"}',
    } as const;
    const line = writeRecordLine(message);
    expect(line).toBe('3-2023-11-14T22:13:20.123Z->>-{"a": "1-2->>-3"}');
    // The pattern with which logs-provider 0.2.0 reads lines.
    expect(/^(\d*)-(.{24})-(.{2})-(.*)$/.exec(line)?.slice(1, 4)).toEqual([
      '3',
      '2023-11-14T22:13:20.123Z',
      '>>',
    ]);
    expect(readRecording(`${line}\r\n\n`)).toEqual([{ ...message, text: '{"a": "1-2->>-3"}' }]);
  });

  it.each([
    ['words', '1-2026-01-02T03:04:05.100Z-<<-{}\nhello', 2],
    ['no date', '1-aaaaaaaaaaaaaaaaaaaaaaaa->>-{}', 1],
    ['no direction', '1-2026-01-02T03:04:05.100Z-><-{}', 1],
  ])('are rejected if invalid, with the line number: %s', (_name, text, line) => {
    expect(() => readRecording(text)).toThrow(NodeError);
    expect(() => readRecording(text)).toThrow(`Line ${line} `);
  });
});

describe('a replayed connection', () => {
  it('returns recorded results in order, then the last one again, with all digits', async () => {
    const replay = createReplayConnection(recording);
    expect(await replay.request('chain_getHeader', [])).toBe(1);
    const big = 340282366920938463463374607431768211455n;
    expect(await replay.request('chain_getHeader', [])).toBe(big);
    expect(await replay.request('chain_getHeader', [])).toBe(big);
    expect(await createReplayConnection(recording, { client: 2 }).request('system_chain', [])).toBe('Second');
    replay.close();
  });

  it('returns recorded errors, and -32000 for calls that were not recorded', async () => {
    const replay = createReplayConnection(recording);
    await expect(replay.request('state_call', ['x', '0x'])).rejects.toMatchObject({
      code: 4003,
      data: 'why',
    });
    await expect(replay.request('state_call', ['y', '0x'])).rejects.toMatchObject({ code: -32000 });
    await expect(replay.request('system_chain', [])).rejects.toMatchObject({ data: 'BadRecording' });
    const [first, second] = await replay.batch([
      { method: 'chain_getHeader', params: [] },
      { method: 'a_b', params: [] },
    ]);
    expect(first).toEqual({ ok: true, value: 1 });
    expect(second?.ok).toBe(false);
    replay.close();
  });

  it('sends the recorded notifications in order, until it is unsubscribed', async () => {
    const replay = createReplayConnection(recording);
    const items: unknown[] = [];
    const id = await replay.subscribe('chain_subscribeNewHeads', [], (item) => items.push(item));
    await settle();
    expect(items).toEqual(['a', 'b']);
    expect(await replay.unsubscribe('chain_unsubscribeNewHeads', id)).toBe(true);
    replay.close();
  });

  it('keeps the recorded pace on request, and stops with its subscription', async () => {
    const slow = lines(
      [1, '>>', ask(1, 'chain_subscribeNewHeads')],
      [1, '<<', '{"jsonrpc":"2.0","id":1,"result":"s"}'],
      [1, '<<', note('s', 'near')],
    ).concat(`\n1-2026-01-02T04:04:05.000Z-<<-${note('s', 'an hour later')}`);
    const replay = createReplayConnection(slow, { speed: 1 });
    const items: unknown[] = [];
    const arrived = Promise.withResolvers<void>();
    const id = await replay.subscribe('chain_subscribeNewHeads', [], (item) => {
      items.push(item);
      arrived.resolve();
    });
    await arrived.promise;
    expect(items).toEqual(['near']);
    expect(await replay.unsubscribe('chain_unsubscribeNewHeads', id)).toBe(true);
    replay.close();
  });

  it('requires a client that is in the recording', () => {
    expect(() => createReplayConnection(recording, { client: 3 })).toThrow('no client 3');
    expect(() => createReplayConnection('')).toThrow(NodeError);
  });
});
