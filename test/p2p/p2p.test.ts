import { expect, test } from 'vitest';
import { concatBytes, noBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { createRandom } from '../rigs/random.ts';
import { accept, propose } from './multistream.ts';
import { decodeFields, encodeFields } from './protobuf.ts';
import { type ByteStream, createInflow, readMessage, StreamEnd, withLength } from './streams.ts';
import { startYamux } from './yamux.ts';

/** Two ends of a stream whose bytes arrive in pieces, and late. */
const createPair = (cut: (bytes: Uint8Array) => readonly Uint8Array[]): readonly [ByteStream, ByteStream] => {
  const inflows = [createInflow(), createInflow()] as const;
  const end = (own: 0 | 1): ByteStream => ({
    read: inflows[own].read,
    send: (bytes) => {
      for (const piece of cut(bytes)) queueMicrotask(() => inflows[1 - own]?.push(piece));
    },
    close: () => queueMicrotask(() => inflows[1 - own]?.end(new StreamEnd('closed'))),
  });
  return [end(0), end(1)];
};

const cutAt =
  (at: number) =>
  (bytes: Uint8Array): readonly Uint8Array[] => [bytes.subarray(0, at), bytes.subarray(at)];

const random = createRandom(7);
const cutAnywhere = (bytes: Uint8Array): readonly Uint8Array[] => {
  const at = Math.floor(random() * bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
};

test('messages are whole, wherever their bytes are divided, and one that is too long is not read', async () => {
  const messages = [noBytes, Uint8Array.of(1, 2, 3), new Uint8Array(200).fill(9)];
  const all = concatBytes(...messages.map(withLength));
  for (let at = 0; at <= all.length; at++) {
    const [from, to] = createPair(cutAt(at));
    from.send(all);
    for (const message of messages) expect(await readMessage(to, 200)).toEqual(message);
  }
  const [from, to] = createPair(cutAt(0));
  from.send(withLength(new Uint8Array(201)));
  await expect(readMessage(to, 200)).rejects.toThrow('more than 200 bytes');
});

test('a protocol is agreed on, or refused', async () => {
  for (let at = 0; at < 30; at++) {
    const [dialing, listening] = createPair(cutAt(at));
    const agreed = accept(listening, (name) => name === '/known/1');
    await expect(propose(dialing, '/other/1')).rejects.toThrow('/other/1: na');
    dialing.send(withLength(textToBytes('/known/1\n')));
    expect(await agreed).toBe('/known/1');
  }
});

test('a protobuf message is what was written; one that ends too early is none', () => {
  const bytes = encodeFields([1, 19 * 2 ** 24], [3, Uint8Array.of(5)], [3, noBytes]);
  const fields = decodeFields(bytes);
  expect([fields.number(1), fields.all(3), fields.has(2), fields.number(2)]).toEqual([
    19 * 2 ** 24,
    [Uint8Array.of(5), noBytes],
    false,
    0,
  ]);
  expect(() => decodeFields(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError);
  expect(() => decodeFields(Uint8Array.of(8, 128))).toThrow(RangeError);
});

test('streams carry more than a window both ways, one beside the other, and end', async () => {
  const [near, far] = createPair(cutAnywhere);
  const echo = async (stream: ByteStream): Promise<void> => {
    stream.send(withLength(await readMessage(stream, 2 ** 21)));
    stream.close();
  };
  const served: Promise<void>[] = [];
  const dialing = startYamux(near, true, (stream) => served.push(echo(stream)));
  const listening = startYamux(far, false, (stream) => served.push(echo(stream)));
  const body = (seed: number) => new Uint8Array(700_000).map((_, index) => (index * seed) >> 3);
  const ask = async (stream: ByteStream, seed: number): Promise<void> => {
    stream.send(withLength(body(seed)));
    expect(await readMessage(stream, 2 ** 21)).toEqual(body(seed));
    await expect(stream.read(1)).rejects.toThrow(StreamEnd);
    stream.close();
    expect(() => stream.send(noBytes)).toThrow(StreamEnd);
  };
  await Promise.all([1, 2, 3].map((seed) => ask((seed === 2 ? listening : dialing).open(), seed)));
  await Promise.all(served);
  near.close();
  expect(await listening.ended).toBeInstanceOf(StreamEnd);
});

test('a stream whose id is not the other side’s ends the connection', async () => {
  const [near, far] = createPair(cutAnywhere);
  const { ended } = startYamux(near, true, () => undefined);
  far.send(Uint8Array.of(0, 1, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0));
  expect((await ended).message).toBe('stream 3 cannot be opened');
});
