import { expect, it } from 'vitest';
import { maxResultsAtOnce } from '../../../src/protocol/limits.ts';
import { connect } from './fake-connection.fixture.ts';
import type { Incoming, Message } from './message.ts';
import { createResultSizes, createResultWindow } from './result-window.ts';

const request = (id: number, method: string): string => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;
const message = (method: string): Message => ({ kind: 'request', id: 1, method, params: [] });
const single = (method: string): Incoming => ({ kind: 'single', message: message(method) });

it('remembers how long the results of a method have been', () => {
  const { expected, learn } = createResultSizes();
  expect(expected('state_getMetadata')).toBe(maxResultsAtOnce);
  learn('a', 900);
  expect(expected('a')).toBe(0);
  learn('a', 60_000);
  learn('a', 20_000);
  expect(expected('a')).toBe(40_000);
  for (let times = 0; times < 9; times++) learn('a', 10);
  expect(expected('a')).toBe(0);
});

it('lets calls wait whose results would be more than fits, and frees the room', async () => {
  const { signal } = new AbortController();
  const sizes = createResultSizes();
  sizes.learn('a', maxResultsAtOnce / 2);
  const { reserve, wait } = createResultWindow(sizes, signal);
  const first = reserve(single('a'));
  expect(wait()).toBeNull();
  const second = reserve(single('a'));
  const opened = wait();
  expect(opened).toBeInstanceOf(Promise);
  first();
  await opened;
  expect(wait()).toBeNull();
  second();
  const batch: Incoming = { kind: 'batch', messages: Array.from({ length: 9 }, () => message('a')) };
  const free = reserve(batch);
  expect(wait()).not.toBeNull();
  free();
  expect(wait()).toBeNull();
});

it('ends all waiting when the client has gone', async () => {
  const ended = new AbortController();
  const { setFull, wait } = createResultWindow(createResultSizes(), ended.signal);
  setFull('bytes', true);
  const opened = wait();
  ended.abort();
  await opened;
});

it('starts no call while the transport is full, and then all in their order', async () => {
  const { connection, sent, settle } = connect();
  connection.setFull('bytes', true);
  connection.receive(request(1, 'system_name'));
  for (let id = 2; id <= 40; id++) connection.receive(request(id, 'system_name'));
  await settle();
  // The text that was taken before anything was sent.
  expect(sent.length).toBe(1);
  connection.setFull('messages', true);
  connection.setFull('bytes', false);
  await settle();
  expect(sent.length).toBe(1);
  connection.setFull('messages', false);
  await expect.poll(() => sent.length).toBe(40);
  expect(sent.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
});

it('runs calls one by one whose results are large', async () => {
  let running = 0;
  let most = 0;
  const call = async (): Promise<string> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return 'x'.repeat(2 * maxResultsAtOnce);
  };
  const custom = new Map([['own_large', { name: 'own_large', doc: '', safety: 'safe' as const, call }]]);
  const { connection, sent } = connect({}, { custom });
  connection.receive(request(0, 'own_large'));
  await expect.poll(() => sent.length).toBe(1);
  most = 0;
  for (let id = 1; id <= 30; id++) connection.receive(request(id, 'own_large'));
  await expect.poll(() => sent.length).toBe(31);
  expect(most).toBe(1);
});
