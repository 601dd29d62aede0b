import { describe, expect, test, vi } from 'vitest';
import { concatBytes, noBytes } from '../../bytes/bytes.ts';
import { peerIdEncode } from '../../crypto/peer-id.ts';
import { connect } from './connect.ts';
import type { Connection, Served, Stream, StreamEndReason, StreamEvents } from './connection.ts';
import { baseOptions, carrierPair, connectPair, createClock, keyOf, settled } from './pair.fixture.ts';
import { ProtocolError } from './protocol-error.ts';
import { cutInto } from './splits.fixture.ts';
import { createTurns } from './turns.ts';

const mebibyte = 1024 * 1024;

/** Sends back each message, and ends when the other side does. */
const echo = (names: readonly string[], other: Partial<Served> = {}): Served => ({
  ...{ names, maxMessageBytes: 16 * mebibyte, priority: 'answer' },
  accept: (stream) => ({ message: (message) => void stream.send(message), end: () => stream.close() }),
  ...other,
});

const serving = (...served: readonly Served[]) => ({ served: () => served });

type Events = StreamEvents & {
  readonly names: string[];
  readonly messages: Uint8Array[];
  readonly ends: StreamEndReason[];
};

const record = (): Events => {
  const names: string[] = [];
  const messages: Uint8Array[] = [];
  const ends: StreamEndReason[] = [];
  return {
    ...{ names, messages, ends },
    open: (name) => names.push(name),
    message: (message) => messages.push(message),
    end: (reason) => ends.push(reason),
  };
};

const limits = { maxMessageBytes: mebibyte, priority: 'answer' } as const;
const bodyOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) & 255);
const ask = { maxBytes: 16 * mebibyte, timeoutMs: 10_000 };

describe('a connection', () => {
  test('proves both ids, and takes two round trips', async () => {
    const pair = carrierPair();
    const [near, far] = await connectPair({}, {}, pair);
    expect(near.remoteId).toBe(peerIdEncode(keyOf(2).publicKey));
    expect(far.remoteId).toBe(peerIdEncode(keyOf(1).publicKey));
    expect([near.isDialer, far.isDialer]).toEqual([true, false]);
    expect(pair.sent.map((writes) => writes.length)).toEqual([2, 3]);
  });

  test('carries requests and streams both ways, wherever the bytes are cut', async () => {
    for (const cut of [cutInto(1), cutInto(2, 11), cutInto(65_536, 1, 30_000)]) {
      const served = serving(echo(['/echo/1']));
      const [near, far] = await connectPair(served, served, carrierPair(cut));
      const bodies = [noBytes, Uint8Array.of(1), bodyOf(3000)];
      for (const body of bodies)
        for (const from of [near, far]) expect(await from.request(['/echo/1'], body, ask)).toEqual(body);
      const events = record();
      const stream = near.open(['/other/1', '/echo/1'], limits, events);
      for (const body of bodies) expect(stream.send(body)).toBe(true);
      expect(stream.protocol).toBeNull();
      stream.close();
      await vi.waitFor(() => expect(events.ends).toEqual(['ended']));
      expect(events.messages).toEqual(bodies);
      expect(events.names).toEqual(['/echo/1']);
      expect(stream.protocol).toBe('/echo/1');
    }
  });

  test('carries messages larger than a window, many beside one another', async () => {
    const served = serving(echo(['/echo/1']));
    const [near, far] = await connectPair(served, served);
    const bodies = [16 * mebibyte, 3_000_000, 300_000, 262_144].map(bodyOf);
    const results = await Promise.all(
      bodies.flatMap((body) => [near, far].map((from) => from.request(['/echo/1'], body, ask))),
    );
    for (const [at, result] of results.entries())
      expect(Buffer.compare(result, bodies[at >> 1] ?? noBytes)).toBe(0);
  });

  test('lets the other side send all of a message that has begun', async () => {
    const pair = carrierPair();
    const [near] = await connectPair({}, serving(echo(['/echo/1'], { accept: () => record() })), pair);
    await settled();
    const before = pair.sent[1].length;
    const stream = near.open(['/echo/1'], { ...limits, first: new Uint8Array(8 * mebibyte) }, record());
    await vi.waitFor(() => expect(stream.queued()).toBe(0));
    await settled();
    // The agreement, and a few more windows: one for every 128 KiB would be 64.
    expect(pair.sent[1].length - before).toBeLessThan(8);
  });

  test('opens a stream with a single name in one write with the first message', async () => {
    const pair = carrierPair();
    const [near] = await connectPair({}, serving(echo(['/echo/1'])), pair);
    await settled();
    const before = pair.sent[0].length;
    const response = near.request(['/echo/1'], Uint8Array.of(1), ask);
    await response;
    expect(pair.sent[0].length).toBe(before + 1);
    expect(pair.sent[1].length).toBe(4);
  });

  test('ends on both sides, with all streams and requests, each once', async () => {
    const silent: Stream[] = [];
    const theirs = record();
    const accept = (stream: Stream) => {
      silent.push(stream);
      return theirs;
    };
    const [near, far] = await connectPair({}, serving(echo(['/silent/1'], { accept })));
    const request = near.request(['/silent/1'], noBytes, ask);
    const ours = record();
    const stream = near.open(['/silent/1'], limits, ours);
    await vi.waitFor(() => expect(silent).toHaveLength(2));
    near.close('The test is over');
    await expect(request).rejects.toMatchObject({ code: 'PeerFailed', details: { reason: 'closed' } });
    expect(await near.closed).toBe('The test is over');
    expect(await far.closed).toBe('The other side has ended the connection');
    await settled();
    expect(ours.ends).toEqual(['closed']);
    expect(theirs.ends).toEqual(['ended', 'closed']);
    expect(silent.map((one) => one.send(noBytes))).toEqual([false, false]);
    expect(stream.send(noBytes)).toBe(false);
    const late = record();
    near.open(['/silent/1'], limits, late);
    expect(late.ends).toEqual([]);
    await settled();
    expect(late.ends).toEqual(['closed']);
    await expect(near.request(['/silent/1'], noBytes, ask)).rejects.toMatchObject({ code: 'PeerFailed' });
  });

  test('ends with the carrier', async () => {
    const pair = carrierPair();
    const clock = createClock();
    const [near] = await connectPair(clock, {}, pair);
    pair.ends[0]?.close('The cable was pulled');
    expect(await near.closed).toBe('The cable was pulled');
    expect(clock.count()).toBe(0);
  });

  test('ends when nobody uses it, but not for a ping', async () => {
    const clock = createClock();
    const lasting = serving(echo(['/echo/1']), echo(['/ping/1'], { isLasting: false }));
    const [near, far] = await connectPair({ ...clock, idleMs: null }, { ...clock, ...lasting });
    near.open(['/ping/1'], { ...limits, isLasting: false }, record());
    const stream = near.open(['/echo/1'], limits, record());
    await settled();
    clock.pass(60_000);
    const ended = vi.fn();
    far.closed.then(ended);
    await settled();
    expect(ended).not.toHaveBeenCalled();
    stream.reset();
    await settled();
    clock.pass(9_999);
    await settled();
    expect(ended).not.toHaveBeenCalled();
    clock.pass(1);
    expect(await far.closed).toBe('No stream is open');
    expect(await near.closed).toBe('The other side has ended the connection');
    expect(clock.count()).toBe(0);
  });
});

describe('a stream', () => {
  test('is refused if the other side knows none of its names, also when it has not waited', async () => {
    const [near] = await connectPair({}, serving(echo(['/echo/1'])));
    for (const names of [['/a/1'], ['/a/1', '/b/1']])
      for (const body of [noBytes, bodyOf(2000)])
        await expect(near.request(names, body, ask)).rejects.toMatchObject({
          details: { reason: 'refused' },
        });
    expect(await near.request(['/echo/1'], noBytes, ask)).toEqual(noBytes);
  });

  test('is refused by who serves it', async () => {
    const [near] = await connectPair({}, serving(echo(['/echo/1'], { accept: () => null })));
    const events = record();
    near.open(['/echo/1'], limits, events);
    await vi.waitFor(() => expect(events.ends).toEqual(['reset']));
  });

  test('ends as bad if a message is too large or cut off; the connection and others continue', async () => {
    const theirs = record();
    const [near] = await connectPair(
      {},
      serving(echo(['/echo/1']), echo(['/small/1'], { maxMessageBytes: 10, accept: () => theirs })),
    );
    const ours = record();
    near.open(['/small/1'], { ...limits, first: new Uint8Array(11) }, ours);
    await vi.waitFor(() => expect(ours.ends).toEqual(['reset']));
    expect(theirs).toMatchObject({ ends: ['bad'], messages: [] });
    await expect(near.request(['/echo/1'], bodyOf(11), { ...ask, maxBytes: 10 })).rejects.toMatchObject({
      details: { reason: 'bad' },
    });
    const fixed = { ...limits, framing: { fixed: 5 } } as const;
    const cut = near.open(['/echo/1'], { ...fixed, first: Uint8Array.of(9, 1, 2, 3, 4) }, record());
    cut.close();
    const last = record();
    near.open(['/echo/1'], { ...fixed, first: Uint8Array.of(4, 1, 2, 3, 4) }, last);
    await vi.waitFor(() => expect(last.messages).toEqual([Uint8Array.of(4, 1, 2, 3, 4)]));
    expect(() => cut.send(noBytes)).not.toThrow();
  });

  test('ends as bad if a decoder says so, and the connection if a handler fails', async () => {
    const onError = vi.fn();
    const failing = (error: Error) =>
      echo([`/${error.message}/1`], {
        accept: () => ({
          message: () => {
            throw error;
          },
          end: () => undefined,
        }),
      });
    const bug = new TypeError('bug');
    const [near, far] = await connectPair(
      {},
      { onError, ...serving(failing(new ProtocolError('bad')), failing(bug)) },
    );
    await expect(near.request(['/bad/1'], noBytes, ask)).rejects.toMatchObject({
      details: { reason: 'reset' },
    });
    expect(onError).not.toHaveBeenCalled();
    await expect(near.request(['/bug/1'], noBytes, ask)).rejects.toMatchObject({
      details: { reason: 'closed' },
    });
    expect(onError).toHaveBeenCalledWith(bug);
    expect(await far.closed).toBe('This node could not handle a message');
  });

  test('waits for an agreement, and requests for their response, only so long', async () => {
    const clock = createClock();
    const pair = carrierPair();
    const silent = echo(['/silent/1'], { accept: () => record() });
    const [near] = await connectPair(clock, { ...serving(silent), idleMs: null }, pair);
    await settled();
    const request = near.request(['/silent/1'], noBytes, { ...ask, timeoutMs: 7000 });
    await settled();
    clock.pass(6999);
    const ended = vi.fn();
    request.catch(ended);
    await settled();
    expect(ended).not.toHaveBeenCalled();
    clock.pass(1);
    await expect(request).rejects.toMatchObject({ details: { reason: 'timeout' } });
    // From now on nothing arrives at the other side.
    pair.ends[1] = null;
    const events = record();
    near.open(['/silent/1'], limits, events);
    clock.pass(4999);
    expect(events.ends).toEqual([]);
    clock.pass(1);
    expect(events.ends).toEqual(['timeout']);
  });

  test('that the other side opens and leaves ends as well', async () => {
    const clock = createClock();
    const pair = carrierPair();
    const [near] = await connectPair({}, { ...clock, idleMs: null }, pair);
    const events = record();
    near.open(['/nobody/1', '/knows/1'], limits, events);
    await vi.waitFor(() => expect(events.ends).toEqual(['refused']));
    await settled();
    expect(clock.count()).toBe(0);
  });

  test('does not queue more than it may, and tells so', async () => {
    const pair = carrierPair();
    const [near] = await connectPair({}, serving(echo(['/echo/1'], { accept: () => record() })), pair);
    pair.setBuffered(0, mebibyte);
    const stream = near.open(['/echo/1'], { ...limits, maxQueuedBytes: 10_000 }, record());
    expect(stream.send(new Uint8Array(50_000))).toBe(true);
    expect(stream.send(Uint8Array.of(1))).toBe(false);
    const answers = Array.from({ length: 3 }, () => near.open(['/echo/1'], limits, record()));
    const fill = answers.map((one) => one.send(new Uint8Array(15 * mebibyte)));
    expect(fill).toEqual([true, true, false]);
    // Others have room left that answers may not take.
    const vote = near.open(['/echo/1'], { ...limits, priority: 'vote' }, record());
    expect(vote.send(new Uint8Array(1000))).toBe(true);
    await expect(
      near.request(['/echo/1'], new Uint8Array(16 * mebibyte), { ...ask, priority: 'answer' }),
    ).rejects.toMatchObject({ details: { reason: 'full' } });
    expect(vote.queued()).toBeGreaterThan(1000);
    pair.setBuffered(0, 0);
    await vi.waitFor(() => expect(vote.queued()).toBe(0));
    expect(stream.send(Uint8Array.of(1))).toBe(true);
  });

  test('of answers waits while the carrier is full, and is overtaken', async () => {
    const pair = carrierPair();
    const arrived: string[] = [];
    const named = (name: string) =>
      echo([name], { accept: () => ({ message: () => arrived.push(name), end: () => undefined }) });
    const [near] = await connectPair({}, serving(named('/answer/1'), named('/vote/1')), pair);
    await settled();
    pair.setBuffered(0, 256 * 1024);
    near.open(['/answer/1'], { ...limits, first: noBytes }, record());
    near.open(['/vote/1'], { ...limits, priority: 'vote', first: noBytes }, record());
    await settled();
    expect(arrived).toEqual(['/vote/1']);
    pair.setBuffered(0, 0);
    await settled();
    expect(arrived).toEqual(['/vote/1', '/answer/1']);
  });

  test('is not opened when too many are', async () => {
    const [near] = await connectPair({}, serving(echo(['/echo/1'], { accept: () => record() })));
    const events = Array.from({ length: 513 }, record);
    for (const [at, one] of events.entries()) {
      near.open(['/echo/1'], limits, one);
      if (at % 200 === 199) await settled();
    }
    await settled();
    expect(events.filter(({ ends }) => ends.length > 0)).toEqual([events[512]]);
    expect(events[512]?.ends).toEqual(['full']);
  });

  test('is reset when messages that have begun take too much memory', async () => {
    const theirs: Events[] = [];
    const accept = () => {
      const events = record();
      theirs.push(events);
      return events;
    };
    const [near] = await connectPair({}, serving(echo(['/echo/1'], { accept })));
    // Each of 16 MiB without its last byte: the length is that of a message of which one byte is missing.
    const begun = Uint8Array.of(255, 255, 255, 7);
    const part = new Uint8Array(16 * mebibyte - 2);
    for (let count = 0; count < 5; count++) {
      const first = concatBytes(begun, part);
      near.open(['/echo/1'], { ...limits, framing: { fixed: first.length }, first }, record());
      await settled();
    }
    await vi.waitFor(() => expect(theirs.flatMap(({ ends }) => ends)).toEqual(['bad']), { timeout: 20_000 });
    expect(theirs).toHaveLength(5);
  });
});

/** The far side of a carrier, spoken to by hand. */
const listenAlone = async (options: Partial<Parameters<typeof connect>[1]> = {}) => {
  const pair = carrierPair();
  const outcome = connect(pair.carriers[1], { ...baseOptions, key: keyOf(2), isDialer: false, ...options });
  return { pair, outcome, say: (bytes: Uint8Array) => pair.ends[1]?.bytes(bytes) };
};

describe('a handshake', () => {
  test('ends after ten seconds', async () => {
    const clock = createClock();
    const { outcome, pair } = await listenAlone(clock);
    clock.pass(10_000);
    await expect(outcome).rejects.toMatchObject({
      code: 'PeerFailed',
      message: 'The other node did not complete the handshake in time',
    });
    const closed = vi.fn();
    pair.ends[0] = { bytes: () => undefined, close: closed, drain: () => undefined };
    await settled();
    expect(clock.count()).toBe(0);
  });

  test.each([
    [
      'another protocol',
      '\u0013/multistream/1.0.0\n\u0007/tls/1\n'.padEnd(400, '\u0007/tls/1\n'),
      /too many protocols/,
    ],
    [
      'a request of HTTP',
      'GET / HTTP/1.1\r\n\r\n'.padEnd(100),
      /more than 1024 bytes|does not end|no multistream/,
    ],
    [
      'a handshake that is too short',
      '\u0013/multistream/1.0.0\n\u0007/noise\n\u0000\u0005abcde',
      /too short/,
    ],
    ['an endless line', '\u00ff'.repeat(10), /more than 1024 bytes/],
  ])('ends with %s', async (_name, text, message) => {
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const whole = await listenAlone();
    whole.say(bytes);
    await expect(whole.outcome).rejects.toThrow(message);
    const slow = await listenAlone();
    for (const byte of bytes) slow.say(Uint8Array.of(byte));
    await expect(slow.outcome).rejects.toThrow(message);
  });

  test('of many at once takes one step per turn, and keeps the order of what arrives', async () => {
    let release: () => void = () => undefined;
    const steps: number[] = [];
    let queued = 0;
    const run = createTurns(
      () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    );
    const turns = (job: () => void) => {
      queued++;
      run(() => {
        steps.push(queued);
        job();
      });
    };
    const pairs = [1, 2, 3].map(() =>
      connectPair({}, { ...serving(echo(['/echo/1'])), turns }, carrierPair(cutInto(100))),
    );
    const settledPairs = Promise.all(pairs);
    await settled();
    expect(steps).toHaveLength(1);
    let isDone = false;
    void settledPairs.then(() => {
      isDone = true;
    });
    for (let count = 0; !isDone; count++) {
      expect(count).toBeLessThan(100);
      const before = steps.length;
      release();
      await settled();
      expect(steps.length - before).toBeLessThanOrEqual(1);
    }
    for (const [near] of await settledPairs) {
      const response = near.request(['/echo/1'], bodyOf(5000), ask);
      for (let count = 0; count < 20; count++) {
        release();
        await settled();
      }
      expect(await response).toEqual(bodyOf(5000));
    }
  });

  test('does not keep more than 512 KiB that waits for its turn', async () => {
    const { outcome, say } = await listenAlone({ turns: () => undefined });
    say(new Uint8Array(512 * 1024));
    say(Uint8Array.of(1));
    await expect(outcome).rejects.toThrow(/too much before the handshake/);
  });

  test('fails on both sides when the other peer is not the expected one', async () => {
    const { carriers } = carrierPair();
    const side = (isDialer: boolean, other: object): Promise<Connection> =>
      connect(carriers[isDialer ? 0 : 1], {
        ...baseOptions,
        key: keyOf(isDialer ? 1 : 2),
        isDialer,
        ...other,
      });
    const results = await Promise.allSettled([
      side(true, { expectedId: peerIdEncode(keyOf(9).publicKey) }),
      side(false, {}),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('is harmed by any altered byte, and never hangs', async () => {
    const pair = carrierPair();
    await connectPair({}, {}, pair);
    const [recorded] = pair.sent;
    const all = concatBytes(...recorded);
    for (let at = 0; at < all.length; at += 5) {
      const clock = createClock();
      const { outcome, say } = await listenAlone(clock);
      const altered = all.slice();
      altered[at] = (altered[at] as number) ^ 4;
      say(altered);
      clock.pass(10_000);
      await expect(outcome).rejects.toMatchObject({ code: 'PeerFailed' });
    }
  });
});
