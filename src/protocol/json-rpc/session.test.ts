import { expect, it } from 'vitest';
import { JsonRpcError } from './json-rpc-error.ts';
import { createSession } from './session.ts';

/** Converting it to a text throws. */
const hostile = '{"toString":5,"valueOf":5}';

const open = () => {
  const sent: string[] = [];
  const stray: unknown[] = [];
  const session = createSession({
    post: (text) => sent.push(text),
    receive: () => undefined,
    maxRequestBytes: 1000,
    onStray: (message) => stray.push(message),
  });
  return { session, sent, stray };
};

it.each([
  `{"id":1,"error":${hostile}}`,
  `{"id":1,"error":{"code":${hostile},"message":${hostile}}}`,
  '{"id":1,"error":5}',
  '{"id":1,"error":null}',
  `{"id":1,"result":${hostile}}`,
  '{"id":1}',
])('settles a call and a subscription with the response %s', async (text) => {
  for (const onItem of [null, () => undefined]) {
    const { session } = open();
    const call = session.send('a_b', [], onItem, undefined).then(
      () => 'resolved',
      (error: unknown) => error instanceof JsonRpcError,
    );
    session.receive(text);
    expect(await Promise.race([call, new Promise((resolve) => setImmediate(resolve, 'pending'))])).not.toBe(
      'pending',
    );
  }
});

it.each([
  `{"method":"m","params":{"subscription":${hostile},"result":5}}`,
  `{"method":${hostile},"params":{"subscription":"a","result":5}}`,
  `{"method":"m","params":{"subscription":"a","result":{"event":${hostile}}}}`,
])('survives the notification %s', async (text) => {
  const { session } = open();
  const items: unknown[] = [];
  const call = session.send('a_b', [], (item) => items.push(item), undefined);
  session.receive('{"id":1,"result":"a"}');
  await call;
  session.receive(text);
  session.receive('{"method":"m","params":{"subscription":"a","result":"next"}}');
  expect(items.at(-1)).toBe('next');
});

it('reports responses to calls that were not sent, or that have one', async () => {
  const { session, stray } = open();
  const call = session.send('a_b', [], null, undefined);
  session.receive('{"id":1,"result":true}');
  expect(await call).toBe(true);
  expect(stray).toEqual([]);
  session.receive('{"id":1,"result":false}');
  session.receive('{"id":7,"error":{"code":1,"message":"no"}}');
  expect(stray).toEqual([
    { id: 1, result: false },
    { id: 7, error: { code: 1, message: 'no' } },
  ]);
});

it('takes a late response of an aborted call for one that was sent', async () => {
  const { session, stray } = open();
  const aborter = new AbortController();
  const call = session.send('a_b', [], null, aborter.signal).catch((error: { code: string }) => error.code);
  aborter.abort();
  expect(await call).toBe('Aborted');
  session.receive('{"id":1,"result":true}');
  expect(stray).toEqual([]);
});
