import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Connection, createConnection } from './connection.ts';
import { papiProvider } from './providers/papi.ts';

type Sent = { readonly ids: readonly (number | string)[]; readonly isBatch: boolean };

const errorOf = (code: number, data?: string) => ({ code, message: 'Refused', ...(data && { data }) });

/** A client of a node whose answers are written by the test. Both run in the same turn. */
const open = (maxRequestBytes?: number) => {
  const sent: Sent[] = [];
  let listener = (_: { readonly data: unknown }): void => undefined;
  const port = {
    set onmessage(given: typeof listener) {
      listener = given;
    },
    postMessage: (data: unknown): void => {
      if (typeof data !== 'string') return;
      const value = JSON.parse(data) as { id: number } | readonly { id: number }[];
      const calls = Array.isArray(value) ? (value as readonly { id: number }[]) : [value as { id: number }];
      sent.push({ ids: calls.map(({ id }) => id), isBatch: Array.isArray(value) });
    },
    addEventListener: () => undefined,
    close: () => undefined,
  } as unknown as MessagePort;
  const connection: Connection = createConnection(
    port,
    maxRequestBytes === undefined ? {} : { maxRequestBytes },
  );
  const hear = (...messages: readonly object[]): void => {
    for (const message of messages) listener({ data: JSON.stringify(message) });
  };
  return {
    connection,
    sent,
    hear,
    answer: (...ids: readonly (number | string)[]) =>
      hear(...ids.map((id) => ({ jsonrpc: '2.0', id, result: `of ${id}` }))),
    answerBatch: (...ids: readonly number[]) =>
      hear(ids.map((id) => ({ jsonrpc: '2.0', id, result: `of ${id}` }))),
    refuse: (code: number, data?: string) => hear({ jsonrpc: '2.0', id: null, error: errorOf(code, data) }),
  };
};

const calls = (count: number) => Array.from({ length: count }, () => ({ method: 'a_b', params: [] }));
/** What became of each promise; undefined if it is pending. */
const outcomesOf = (...promises: readonly Promise<unknown>[]) => {
  const outcomes: unknown[] = promises.map(() => undefined);
  for (const [at, promise] of promises.entries())
    promise.then(
      (value) => {
        outcomes[at] = value;
      },
      (error: { readonly code: unknown }) => {
        outcomes[at] = error.code;
      },
    );
  return async () => {
    await new Promise(setImmediate);
    return outcomes;
  };
};
const values = (...ids: readonly number[]) => ids.map((id) => ({ ok: true, value: `of ${id}` }));

it('a refusal without an id belongs to the oldest text, one call or a batch', async () => {
  const { connection, refuse, answer, answerBatch } = open();
  const outcomes = outcomesOf(
    connection.request('a_b', []),
    connection.batch(calls(2)),
    connection.request('a_b', []),
    connection.batch(calls(2)),
  );
  refuse(-32700);
  expect(await outcomes()).toEqual([-32700, undefined, undefined, undefined]);
  refuse(-32600);
  answer(4);
  answerBatch(5, 6);
  const refused = { ok: false, error: expect.objectContaining({ code: -32600 }) };
  expect(await outcomes()).toEqual([-32700, [refused, refused], 'of 4', values(5, 6)]);
});

it.each([-32005, -32010, -32011])('%i refuses a batch, even if a call is older', async (code) => {
  const { connection, refuse, answer } = open();
  const outcomes = outcomesOf(connection.request('a_b', []), connection.batch(calls(1)));
  refuse(code);
  const refused = [{ ok: false, error: expect.objectContaining({ code }) }];
  expect(await outcomes()).toEqual([undefined, refused]);
  refuse(code);
  expect(await outcomes()).toEqual([undefined, refused]);
  answer(1);
  expect(await outcomes()).toEqual(['of 1', refused]);
});

it('a request that is too big is found by its length', async () => {
  const { connection, refuse, answer } = open();
  const outcomes = outcomesOf(
    connection.request('a_b', []),
    connection.request('a_b', ['x'.repeat(500)]),
    connection.request('a_b', ['x'.repeat(800)]),
  );
  refuse(-32007, 'Exceeded max limit of 700');
  answer(1, 2);
  expect(await outcomes()).toEqual(['of 1', 'of 2', -32007]);
});

it('if the node answers the text that was taken for the refused one, the next one is', async () => {
  const { connection, refuse, answer, answerBatch } = open();
  const outcomes = outcomesOf(
    connection.batch(calls(2)),
    connection.request('a_b', []),
    connection.request('a_b', []),
    connection.request('a_b', []),
  );
  refuse(-32600);
  refuse(-32700);
  // Sent after the refusals, so it is none of the refused.
  const later = outcomesOf(connection.request('a_b', []));
  answerBatch(1, 2);
  answer(4);
  const refused = { ok: false, error: expect.objectContaining({ code: -32600 }) };
  // The callers of the batch and of 4 got errors that were meant for 3 and 5.
  expect(await outcomes()).toEqual([[refused, refused], -32700, -32600, -32600]);
  expect(await later()).toEqual([undefined]);
});

it('a call that was aborted is answered or refused like any other', async () => {
  const { connection, refuse, answer } = open();
  const abort = new AbortController();
  const { signal } = abort;
  const outcomes = outcomesOf(
    connection.request('a_b', [], { signal }),
    connection.batch(calls(2), { signal }),
    connection.request('a_b', []),
  );
  abort.abort();
  refuse(-32600);
  refuse(-32600);
  expect(await outcomes()).toEqual(['Aborted', 'Aborted', undefined]);
  answer(4);
  expect(await outcomes()).toEqual(['Aborted', 'Aborted', 'of 4']);
});

it('a batch of which the node answers each call by itself is then answered', async () => {
  const { connection, refuse, answer } = open();
  const outcomes = outcomesOf(
    connection.batch(calls(2)),
    connection.batch(calls(2)),
    connection.request('a_b', []),
  );
  answer(1, 2, 3);
  refuse(-32011);
  answer(5);
  const refused = { ok: false, error: expect.objectContaining({ code: -32011 }) };
  expect(await outcomes()).toEqual([values(1, 2), [...values(3), refused], 'of 5']);
});

it('a text over the limit is refused before it is sent, in UTF-8', async () => {
  const { connection, sent, answer } = open(200);
  const messages: unknown[] = [];
  connection.onMessage((message) => messages.push(message));
  const outcomes = outcomesOf(
    connection.request('a_b', ['\u20ac'.repeat(60)]),
    connection.request('a_b', ['\u20ac'.repeat(30)]),
    connection.batch([...calls(1), { method: 'a_b', params: ['x'.repeat(200)] }]),
  );
  connection.post({ jsonrpc: '2.0', id: 'own', method: 'a_b', params: ['x'.repeat(200)] });
  answer(2);
  const refused = {
    ok: false,
    error: expect.objectContaining({ code: -32007, data: 'Exceeded max limit of 200' }),
  };
  expect(await outcomes()).toEqual([-32007, 'of 2', [refused, refused]]);
  expect(sent).toEqual([{ ids: [2], isBatch: false }]);
  expect(messages.at(-1)).toMatchObject({ id: 'own', error: { code: -32007 } });
});

it('a batch without a JSON form is rejected, and leaves nothing pending', async () => {
  const { connection, sent, refuse } = open();
  const circle: unknown[] = [];
  circle.push(circle);
  const outcomes = outcomesOf(connection.batch([...calls(1), { method: 'a_b', params: circle }]));
  expect((await outcomes()).length).toBe(1);
  await expect(connection.batch([{ method: 'a_b', params: circle }])).rejects.toThrow();
  const next = outcomesOf(connection.request('a_b', []));
  refuse(-32600);
  expect(await next()).toEqual([-32600]);
  expect(sent).toHaveLength(1);
});

it('a refusal reaches a client that posts messages with ids of its own', async () => {
  const { connection, sent, refuse } = open();
  const heard: unknown[] = [];
  const client = papiProvider(connection)((message) => heard.push(message));
  client.send({ jsonrpc: '2.0', id: 7, method: 'a_b', params: [] });
  await expect.poll(() => sent).toHaveLength(1);
  refuse(-32600);
  await expect.poll(() => heard).toMatchObject([{ id: 7, error: { code: -32600 } }]);
});

it('what a listener throws neither loses a message nor keeps another listener from being called', async () => {
  const thrown: unknown[] = [];
  const report = (error: unknown): void => void thrown.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', report);
  const { connection, hear, answer } = open();
  const fail = (): void => {
    throw new Error('odd');
  };
  const items: unknown[] = [];
  const closed: unknown[] = [];
  connection.onMessage(fail);
  connection.onClose(fail);
  connection.onClose(() => closed.push('closed'));
  const opening = connection.subscribe('a_subscribe', [], (item) => {
    items.push(item);
    fail();
  });
  const outcomes = outcomesOf(opening, connection.request('a_b', []));
  answer(1);
  hear({ jsonrpc: '2.0', method: 'a_item', params: { subscription: 'of 1', result: 5 } });
  answer(2);
  expect(await outcomes()).toEqual(['of 1', 'of 2']);
  connection.close();
  expect([items, closed]).toEqual([[5], ['closed']]);
  await expect.poll(() => thrown).toHaveLength(5);
  process.off('uncaughtException', report);
  for (const other of others) process.on('uncaughtException', other);
});

it('whatever the node answers or refuses, and in whichever order, every promise settles', async () => {
  const text = fc.record({
    calls: fc.integer({ min: 1, max: 3 }),
    isBatch: fc.boolean(),
    isAborted: fc.boolean(),
    /** An error without an id, or responses, together or one by one. */
    reply: fc.constantFrom('refuse', 'together', 'apart'),
    /** When the node replies, in order of this number. */
    at: fc.nat(100),
    /** Whether the node replies to some before it gets this one. */
    isLate: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 30 }), async (texts) => {
      const { connection, sent, answer, answerBatch, refuse } = open();
      const promises: Promise<unknown>[] = [];
      const waiting: { readonly at: number; reply(): void }[] = [];
      const flush = (count: number): void => {
        waiting.sort((a, b) => a.at - b.at);
        for (const { reply } of waiting.splice(0, count)) reply();
      };
      for (const { calls: count, isBatch, isAborted, reply, at, isLate } of texts) {
        if (isLate) flush(2);
        const abort = new AbortController();
        const options = { signal: abort.signal };
        promises.push(
          isBatch ? connection.batch(calls(count), options) : connection.request('a_b', [], options),
        );
        if (isAborted) abort.abort();
        const ids = (sent.at(-1)?.ids ?? []) as readonly number[];
        const run = (): void => {
          if (reply === 'refuse') refuse(isBatch ? -32010 : -32007);
          else if (isBatch && reply === 'together') answerBatch(...ids);
          else answer(...ids);
        };
        waiting.push({ at, reply: run });
      }
      flush(waiting.length);
      const outcomes = await outcomesOf(...promises)();
      expect(outcomes.filter((outcome) => outcome === undefined)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
