import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createCork } from './ws-sender.ts';

/** Counts how many messages each call of the system gets. */
const createStream = () => {
  const calls: number[] = [];
  const stream = new Writable({
    writev: (chunks, done) => {
      calls.push(chunks.length);
      done();
    },
    write: (_chunk, _encoding, done) => {
      calls.push(1);
      done();
    },
  });
  const collect = createCork(stream);
  const send = (bytes: number): void => {
    collect(bytes);
    stream.write(new Uint8Array(bytes));
  };
  return { calls, send };
};

const nextTurn = (): Promise<void> => new Promise(setImmediate);

it('messages of one turn are sent together, and none waits for a later turn', async () => {
  const { calls, send } = createStream();
  for (let count = 0; count < 5; count++) send(10);
  expect(calls).toEqual([]);
  await nextTurn();
  expect(calls).toEqual([5]);
  send(10);
  await nextTurn();
  expect(calls).toEqual([5, 1]);
});

it('many messages, or large ones, are sent without waiting for the end of the turn', async () => {
  const { calls, send } = createStream();
  for (let count = 0; count < 70; count++) send(10);
  expect(calls).toEqual([32, 32]);
  await nextTurn();
  expect(calls).toEqual([32, 32, 6]);
  for (let count = 0; count < 3; count++) send(100_000);
  await nextTurn();
  expect(calls).toEqual([32, 32, 6, 1, 1, 1]);
});
