import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, noBytes } from '../../../bytes/bytes.ts';
import { ProtocolError } from '../protocol-error.ts';
import { cutInto, everySplit } from '../splits.fixture.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import { flags, frameTypes, writeHeader } from './frames.ts';
import { createMux, type Mux } from './yamux.ts';

const window = 256 * 1024;

const frame = (type: number, flag: number, id: number, length: number, body = noBytes): Uint8Array => {
  const bytes = new Uint8Array(12 + body.length);
  writeHeader(bytes, 0, { type, flags: flag, id, length });
  bytes.set(body, 12);
  return bytes;
};
const data = (id: number, body: Uint8Array, flag = 0): Uint8Array =>
  frame(frameTypes.data, flag, id, body.length, body);

type Log = { readonly received: Uint8Array[]; readonly ends: string[]; channel: Channel | null };

const logEvents = (log: Log): ChannelEvents => ({
  data: (bytes) => log.received.push(bytes.slice()),
  end: (reason) => log.ends.push(reason),
  gone: () => log.ends.push('gone'),
});

const createLog = (): Log => ({ received: [], ends: [], channel: null });

/** A side, with what has happened on each stream. */
const createSide = (isDialer: boolean, now = () => 0) => {
  const logs = new Map<number, Log>();
  const mux: Mux = createMux({
    ...{ isDialer, now },
    onChannel: (channel) => {
      const log = createLog();
      log.channel = channel;
      logs.set(channel.id, log);
      channel.events = logEvents(log);
    },
  });
  return {
    mux,
    logs,
    open: () => {
      const log = createLog();
      const channel = mux.open(logEvents(log), 'answer');
      if (channel !== null) logs.set(channel.id, log);
      log.channel = channel;
      return channel;
    },
    /** What it would send now, up to so many bytes. */
    take: (most = 1 << 22): Uint8Array => {
      const target = new Uint8Array(most);
      return target.slice(0, mux.fill(target, 0, most, 'answer'));
    },
  };
};

const known = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('missing');
  return value;
};

describe('a side of yamux', () => {
  test('reads frames wherever they are cut', () => {
    const bytes = concatBytes(
      data(1, Uint8Array.of(1, 2), flags.syn),
      frame(frameTypes.ping, flags.syn, 0, 77),
      data(1, Uint8Array.of(3)),
      frame(frameTypes.window, flags.syn, 3, 0),
      data(3, Uint8Array.of(4), flags.fin),
      data(1, noBytes, flags.rst),
    );
    for (const pieces of everySplit(bytes)) {
      const { mux, logs, take } = createSide(false);
      for (const piece of pieces) mux.receive(piece);
      expect(concatBytes(...known(logs.get(1)).received)).toEqual(Uint8Array.of(1, 2, 3));
      expect(known(logs.get(1)).ends).toEqual(['reset', 'gone']);
      expect(concatBytes(...known(logs.get(3)).received)).toEqual(Uint8Array.of(4));
      expect(known(logs.get(3)).ends).toEqual(['ended']);
      expect(take()).toEqual(
        concatBytes(frame(frameTypes.ping, flags.ack, 0, 77), frame(frameTypes.window, flags.ack, 3, 0)),
      );
    }
  });

  test('opens a stream with the first bytes, and ends it in a frame without any', () => {
    const { mux, open, take } = createSide(true);
    const channel = known(open());
    expect(take()).toEqual(noBytes);
    mux.push(channel, Uint8Array.of(1, 2));
    mux.push(channel, Uint8Array.of(3));
    mux.finish(channel);
    expect(take()).toEqual(
      concatBytes(data(1, Uint8Array.of(1, 2, 3), flags.syn), data(1, noBytes, flags.fin)),
    );
    expect(take()).toEqual(noBytes);
  });

  test('acknowledges a stream with the first bytes that it sends, if there are any', () => {
    const { mux, logs, take } = createSide(false);
    mux.receive(data(1, Uint8Array.of(1), flags.syn));
    mux.push(known(known(logs.get(1)).channel), Uint8Array.of(2));
    expect(take()).toEqual(concatBytes(frame(frameTypes.window, flags.ack, 1, 1), data(1, Uint8Array.of(2))));
    mux.receive(frame(frameTypes.window, flags.syn, 3, 0));
    mux.push(known(known(logs.get(3)).channel), Uint8Array.of(2));
    expect(take()).toEqual(data(3, Uint8Array.of(2), flags.ack));
  });

  test('sends no more than the window, and the rest when it may', () => {
    const { mux, open, take } = createSide(true);
    const channel = known(open());
    mux.push(channel, new Uint8Array(window + 10));
    mux.finish(channel);
    const frames = Math.ceil(window / 16_384);
    expect(take().length).toBe(window + 12 * frames);
    expect(mux.queued()).toBe(10);
    mux.receive(frame(frameTypes.window, flags.ack, 1, 0));
    expect(take()).toEqual(noBytes);
    mux.receive(frame(frameTypes.window, 0, 1, 4));
    expect(take()).toEqual(data(1, new Uint8Array(4)));
    mux.receive(frame(frameTypes.window, 0, 1, 100));
    expect(take()).toEqual(concatBytes(data(1, new Uint8Array(6)), data(1, noBytes, flags.fin)));
    expect(mux.queued()).toBe(0);
  });

  test('sends by priority, then in turns, and of what waits nothing below a priority', () => {
    const { mux, take } = createSide(true);
    const open = (priority: 'vote' | 'announce' | 'answer') => {
      const channel = known(mux.open(logEvents(createLog()), priority));
      mux.push(channel, new Uint8Array(40_000));
      return channel;
    };
    const channels = [open('answer'), open('answer'), open('announce'), open('vote')];
    const idsOf = (bytes: Uint8Array): number[] => {
      const ids: number[] = [];
      for (let at = 0; at < bytes.length; ) {
        const view = new DataView(bytes.buffer, bytes.byteOffset + at);
        ids.push(view.getUint32(4));
        at += 12 + view.getUint32(8);
      }
      return ids;
    };
    const target = new Uint8Array(1 << 20);
    const urgent = target.slice(0, mux.fill(target, 0, target.length, 'announce'));
    expect(idsOf(urgent)).toEqual([7, 7, 7, 5, 5, 5]);
    mux.prioritize(known(channels[1]), 'vote');
    expect(idsOf(take())).toEqual([3, 3, 3, 1, 1, 1]);
    mux.push(known(channels[0]), new Uint8Array(40_000));
    mux.prioritize(known(channels[2]), 'answer');
    mux.push(known(channels[2]), new Uint8Array(40_000));
    expect(idsOf(take())).toEqual([1, 5, 1, 5, 1, 5]);
  });

  test('lets the other side send more once half a window is free', () => {
    const { mux, logs, take } = createSide(false);
    mux.receive(data(1, new Uint8Array(1000), flags.syn));
    expect(take()).toEqual(frame(frameTypes.window, flags.ack, 1, 1000));
    const channel = known(known(logs.get(1)).channel);
    mux.allow(channel, window);
    expect(take()).toEqual(noBytes);
    mux.receive(data(1, new Uint8Array(window / 2)));
    mux.allow(channel, window);
    expect(take()).toEqual(frame(frameTypes.window, 0, 1, window / 2));
    mux.allow(channel, 2 ** 24);
    expect(take()).toEqual(frame(frameTypes.window, 0, 1, 2 ** 24 - window));
    mux.allow(channel, window);
    expect(take()).toEqual(noBytes);
  });

  test('has 512 streams of the other side, and resets more', () => {
    const { mux, logs, take } = createSide(false);
    for (let count = 0; count < 513; count++)
      mux.receive(frame(frameTypes.window, flags.syn, 2 * count + 1, 0));
    expect(logs.size).toBe(512);
    expect(take().subarray(0, 12)).toEqual(frame(frameTypes.window, flags.rst, 1025, 0));
    mux.receive(data(1, noBytes, flags.rst));
    mux.receive(frame(frameTypes.window, flags.syn, 1027, 0));
    expect(logs.has(1027)).toBe(true);
  });

  test('opens 256 streams that the other side has not acknowledged, and no more', () => {
    const { mux, open } = createSide(true);
    const channels = Array.from({ length: 257 }, open);
    expect(channels.filter((channel) => channel !== null)).toHaveLength(256);
    mux.receive(frame(frameTypes.window, flags.ack, 1, 0));
    expect(open()).not.toBeNull();
    expect(open()).toBeNull();
    mux.receive(data(3, noBytes, flags.rst));
    expect(open()).not.toBeNull();
  });

  test('does not tell the other side of a stream that was reset before it left', () => {
    const { mux, open, take } = createSide(true);
    const channel = known(open());
    mux.push(channel, Uint8Array.of(1));
    mux.reset(channel);
    expect(take()).toEqual(noBytes);
    expect(mux.queued()).toBe(0);
    const next = known(open());
    mux.push(next, Uint8Array.of(1));
    take();
    mux.reset(next);
    expect(take()).toEqual(frame(frameTypes.window, flags.rst, 3, 0));
    mux.receive(data(3, new Uint8Array(1000)));
  });

  test('ends all streams once', () => {
    const { mux, logs, open } = createSide(true);
    open();
    mux.receive(data(2, Uint8Array.of(1), flags.syn | flags.fin));
    mux.end();
    expect(known(logs.get(1)).ends).toEqual(['closed', 'gone']);
    expect(known(logs.get(2)).ends).toEqual(['ended', 'closed', 'gone']);
    expect(open()).toBeNull();
    mux.receive(frame(frameTypes.window, flags.syn, 4, 0));
    expect(logs.has(4)).toBe(false);
  });
});

describe('a side that breaks yamux', () => {
  const opened = data(1, noBytes, flags.syn);
  test.each([
    ['another version', [Uint8Array.of(1, ...new Uint8Array(11))], /another version/],
    ['a type that there is not', [frame(4, 0, 0, 0)], /no frame of type 4/],
    ['the end of the connection', [frame(frameTypes.goAway, 0, 0, 0)], /has ended the connection/],
    ['a stream with an id of this side', [data(2, noBytes, flags.syn)], /Stream 2 cannot be opened/],
    ['stream 0', [data(0, noBytes, flags.syn)], /Stream 0 cannot be opened/],
    ['a stream twice', [opened, opened], /Stream 1 cannot be opened/],
    [
      'more than the window',
      [opened, data(1, new Uint8Array(window)), data(1, Uint8Array.of(1))],
      /more than it may/,
    ],
    [
      'a frame larger than the window',
      [opened, frame(frameTypes.data, 0, 1, window + 1)],
      /more than it may/,
    ],
    [
      'a frame that nobody expects, larger than any',
      [frame(frameTypes.data, 0, 9, 2 ** 32 - 1)],
      /larger than any/,
    ],
    [
      'data after the end',
      [data(1, noBytes, flags.syn | flags.fin), data(1, Uint8Array.of(1))],
      /after its end/,
    ],
    ['a window that overflows', [opened, frame(frameTypes.window, 0, 1, 2 ** 32 - 1)], /overflows/],
    [
      '65 pings at once',
      Array<Uint8Array>(65).fill(frame(frameTypes.ping, flags.syn, 0, 1)),
      /too many pings/,
    ],
  ])('is told: %s', (_name, frames, message) => {
    expect(() => createSide(false).mux.receive(concatBytes(...frames))).toThrow(message);
    const { mux } = createSide(false);
    expect(() => cutInto(1)(concatBytes(...frames)).forEach(mux.receive)).toThrow(message);
  });

  test('by streams that it opens and never lets be refused', () => {
    const { mux } = createSide(false);
    const open = (count: number) => mux.receive(data(2 * count + 1, noBytes, flags.syn));
    for (let count = 0; count < 512 + 1024; count++) open(count);
    expect(() => open(512 + 1024)).toThrow(/opens too many streams/);
  });

  test('by short frames without end, unless they come slowly', () => {
    let time = 0;
    const { mux, take } = createSide(false, () => time);
    const receive = (count: number, each: () => Uint8Array) => {
      for (let sent = 0; sent < count; sent++) mux.receive(each());
    };
    receive(1, () => data(1, noBytes, flags.syn));
    const window0 = () => frame(frameTypes.window, 0, 1, 0);
    receive(19_999, window0);
    expect(() => receive(1, window0)).toThrow(/too many short frames/);
    time = 1000;
    take();
    receive(9_999, window0);
    expect(() => receive(2, window0)).toThrow(/too many short frames/);
    time = 2000;
    // What carries something is not counted.
    receive(500, () => data(1, new Uint8Array(256)));
    receive(9_999, window0);
  });
});

type Op =
  | { readonly kind: 'open'; readonly side: number }
  | { readonly kind: 'push'; readonly side: number; readonly pick: number; readonly size: number }
  | { readonly kind: 'finish' | 'reset'; readonly side: number; readonly pick: number }
  | { readonly kind: 'pass'; readonly side: number; readonly most: number; readonly cut: number };

const side = fc.nat(1);
const pick = fc.nat(7);
const ops: fc.Arbitrary<Op[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('open' as const), side }),
    fc.record({ kind: fc.constant('push' as const), side, pick, size: fc.nat(200_000) }),
    fc.record({ kind: fc.constantFrom('finish' as const, 'reset' as const), side, pick }),
    fc.record({
      kind: fc.constant('pass' as const),
      side,
      most: fc.integer({ min: 12, max: 300_000 }),
      cut: fc.integer({ min: 1, max: 5000 }),
    }),
  ),
  { maxLength: 60 },
);

/** The n-th byte that a side sends on a stream. */
const byteAt = (id: number, from: number, at: number): number => (id * 31 + from * 7 + at) & 255;

test('what arrives is what was sent, in order, in any sequence of calls (against a model)', async () => {
  await fc.assert(
    fc.property(ops, (list) => {
      const sides = [createSide(true), createSide(false)] as const;
      /** What each side has sent on each stream, and whether either side has ended it. */
      const sent = new Map<string, number>();
      const finished = new Set<string>();
      const wasReset = new Set<number>();
      const nameOf = (id: number, from: number) => `${id}/${from}`;
      const channelOf = (from: number, at: number): Channel | null => {
        const all = [...known(sides[from]).logs.values()].map((log) => log.channel);
        const found = all[at % Math.max(1, all.length)] ?? null;
        return found === null || found.isGone ? null : found;
      };
      const pass = (from: number, most: number, cut: number): number => {
        const to = known(sides[1 - from]);
        const bytes = known(sides[from]).take(most);
        for (const piece of cutInto(cut)(bytes)) to.mux.receive(piece);
        for (const log of to.logs.values()) if (log.channel !== null) to.mux.allow(log.channel, window);
        return bytes.length;
      };
      for (const op of list) {
        const { mux, open } = known(sides[op.side]);
        if (op.kind === 'open') open();
        else if (op.kind === 'pass') pass(op.side, op.most, op.cut);
        else {
          const channel = channelOf(op.side, op.pick);
          if (channel === null) continue;
          const name = nameOf(channel.id, op.side);
          if (op.kind === 'push' && !finished.has(name)) {
            const before = sent.get(name) ?? 0;
            const bytes = Uint8Array.from({ length: op.size }, (_, at) =>
              byteAt(channel.id, op.side, before + at),
            );
            mux.push(channel, bytes);
            sent.set(name, before + op.size);
          } else if (op.kind === 'finish') {
            mux.finish(channel);
            finished.add(name);
          } else if (op.kind === 'reset') {
            mux.reset(channel);
            wasReset.add(channel.id);
          }
        }
      }
      while (pass(0, 1 << 20, 70_000) + pass(1, 1 << 20, 70_000) > 0);
      for (const from of [0, 1])
        for (const [id, log] of known(sides[1 - from]).logs) {
          const received = concatBytes(...log.received);
          expect(received.every((byte, at) => byte === byteAt(id, from, at))).toBe(true);
          const name = nameOf(id, from);
          if (wasReset.has(id)) expect(known(log.channel).isGone).toBe(true);
          else {
            expect(received.length).toBe(sent.get(name) ?? 0);
            expect(log.ends.includes('ended')).toBe(finished.has(name));
          }
          expect(log.ends.filter((reason) => reason === 'gone').length).toBeLessThanOrEqual(1);
        }
      for (const { mux } of sides) expect(mux.queued()).toBe(0);
    }),
    { numRuns: 200 },
  );
});

/** Frames as an attacker would make them: mostly plausible, with numbers at the edges. */
const edges = [0, 1, 255, 16_384, window - 1, window, window + 1, 2 ** 24, 2 ** 31, 2 ** 32 - 1];
const wildFrame = fc
  .record({
    type: fc.oneof({ weight: 20, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(255) }),
    flag: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(0, 1, 2, 3, 4, 5, 8, 9) }, fc.nat(0xffff)),
    id: fc.oneof({ weight: 9, arbitrary: fc.nat(12) }, fc.constantFrom(...edges)),
    length: fc.oneof({ weight: 9, arbitrary: fc.nat(2000) }, fc.constantFrom(...edges)),
    isHonest: fc.boolean(),
  })
  .map(({ type, flag, id, length, isHonest }) => {
    const body = type === frameTypes.data ? Math.min(length, isHonest ? 2 ** 20 : 10) : 0;
    return frame(type, flag, id, length, new Uint8Array(body));
  });

test('no sequence of frames does more than end the connection, within its bounds', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.property(fc.array(wildFrame, { maxLength: 80 }), fc.integer({ min: 1, max: 700 }), (frames, cut) => {
      const { mux, logs, open, take } = createSide(true);
      for (let count = 0; count < 4; count++) {
        const channel = known(open());
        mux.push(channel, new Uint8Array(1000));
      }
      try {
        for (const bytes of frames) {
          for (const piece of cutInto(cut)(bytes.subarray(0, 5000))) mux.receive(piece);
          mux.receive(bytes.subarray(5000));
          if (take().length === 0) for (const { channel } of logs.values()) mux.allow(known(channel), window);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
        ends.add((error as Error).message.replaceAll(/\d+/g, 'N'));
      }
      mux.end();
      for (const log of logs.values()) {
        expect(log.ends.filter((reason) => reason === 'gone')).toHaveLength(1);
      }
      expect(mux.queued()).toBe(0);
      take();
      expect(take()).toEqual(noBytes);
    }),
    { numRuns: 500 },
  );
  // Otherwise the frames would not reach what they are to test.
  expect(ends.size).toBeGreaterThan(3);
});
