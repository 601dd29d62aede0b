import { expect, test, vi } from 'vitest';
import { createRandom } from '../../../test/rigs/random.ts';
import { concatBytes, noBytes, textToBytes } from '../../bytes/bytes.ts';
import { connect } from './connect.ts';
import type { Served } from './connection.ts';
import { withLength } from './framing.ts';
import { serveIdentify } from './identify.ts';
import { fillWith } from './noise/records.ts';
import { baseOptions, carrierPair, createClock, keyOf, settled } from './pair.fixture.ts';
import { servePing } from './ping.ts';
import { createUpgrade } from './upgrade.ts';
import { flags, frameTypes, writeHeader } from './yamux/frames.ts';

const runs = Number(process.env['HOSTILE_RUNS'] ?? 150);
const framesPerRun = 60;

/** Somebody who has proven an identity and then writes whatever it likes. */
const attack = async (served: readonly Served[], onError: (error: unknown) => void) => {
  const clock = createClock();
  const pair = carrierPair();
  const options = { ...baseOptions, key: keyOf(1), isDialer: true };
  const isReady = Promise.withResolvers<void>();
  const upgrade = createUpgrade(options, {
    send: pair.carriers[0].send,
    ready: () => isReady.resolve(),
    plain: () => undefined,
  });
  pair.carriers[0].listen({ bytes: upgrade.read, close: () => undefined, drain: () => undefined });
  const outcome = connect(pair.carriers[1], {
    ...{ ...baseOptions, ...clock, key: keyOf(2), isDialer: false, served: () => served, onError },
  });
  upgrade.start();
  const connection = await outcome;
  await isReady.promise;
  return {
    clock,
    connection,
    write: (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += 1000) {
        const sealed = upgrade.write(fillWith(bytes.subarray(at, at + 1000)));
        if (sealed !== null) pair.carriers[0].send(sealed);
      }
    },
  };
};

const line = (text: string): Uint8Array => withLength(textToBytes(`${text}\n`));

/** Frames that get far: names that are known, messages that begin, and numbers at the edges. */
const createFrames = (random: () => number) => {
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const names = ['/echo/1', '/ipfs/ping/1.0.0', '/ipfs/id/1.0.0', '/unknown/1', 'x'.repeat(1100)];
  const noise = (length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));
  const bodies = [
    () => line('/multistream/1.0.0'),
    () => concatBytes(line('/multistream/1.0.0'), line(pick(names))),
    () => concatBytes(line('/multistream/1.0.0'), line(pick(names)), withLength(noise(below(300)))),
    () => line(pick(names)),
    () => withLength(noise(below(2000))),
    () => withLength(noise(below(2000))).subarray(0, below(1000)),
    () => noise(below(100)),
    () => noBytes,
    () => Uint8Array.of(255, 255, 255, pick([7, 127, 255])),
  ];
  const lengths = [0, 1, 256 * 1024, 2 ** 24, 2 ** 31, 2 ** 32 - 1];
  let opened = 0;
  return (): Uint8Array => {
    const type = pick([0, 0, 0, 0, 0, 0, 1, 1, 2, below(50) === 0 ? 3 : 0, below(50) === 0 ? 9 : 0]);
    const body = type === frameTypes.data ? pick(bodies)() : noBytes;
    const isLie = below(80) === 0;
    const length = isLie || type !== frameTypes.data ? pick(lengths.slice(0, isLie ? 6 : 3)) : body.length;
    const bytes = new Uint8Array(12 + body.length);
    const isNew = opened === 0 || below(3) === 0;
    if (isNew) opened++;
    const ends = pick([0, 0, 0, 0, 0, 0, flags.fin, flags.rst, flags.ack]);
    const flag = isLie ? below(16) : ends | (isNew ? flags.syn : 0);
    const id = isLie ? below(8) : 2 * (isNew ? opened : 1 + below(opened)) - 1;
    writeHeader(bytes, 0, { type, flags: flag, id, length });
    bytes.set(body, 12);
    return bytes;
  };
};

test('whatever a known peer writes, it is answered or the connection ends, and nothing is left', async () => {
  const onError = vi.fn();
  const reasons = new Set<string>();
  let messages = 0;
  let open = 0;
  const echo: Served = {
    ...{ names: ['/echo/1'], maxMessageBytes: 1500, priority: 'answer' },
    accept: (stream) => {
      open++;
      return {
        message: (message) => {
          messages++;
          stream.send(message);
        },
        end: () => {
          open--;
          stream.close();
        },
      };
    },
  };
  const described = { agent: 'test', protocols: [], addresses: [], observed: null };
  for (let seed = 0; seed < runs; seed++) {
    const clock = { schedule: (ms: number, run: () => void) => victim.clock.schedule(ms, run) };
    const identify = serveIdentify(keyOf(2).publicKey, () => described, clock.schedule);
    const victim = await attack([echo, servePing, identify], onError);
    const random = createRandom(seed);
    const next = createFrames(random);
    let isOver = false;
    void victim.connection.closed.then((reason) => {
      isOver = true;
      reasons.add(reason.replaceAll(/\d+/g, 'N'));
    });
    for (let count = 0; count < framesPerRun && !isOver; count++) {
      const bytes = concatBytes(...Array.from({ length: 1 + Math.floor(random() * 4) }, next));
      const at = Math.floor(random() * bytes.length);
      victim.write(bytes.subarray(0, at));
      victim.write(bytes.subarray(at));
      if (count % 8 === 0) await settled();
    }
    await settled();
    victim.clock.pass(60_000);
    victim.connection.close('The attack is over');
    await victim.connection.closed;
    await settled();
    expect(victim.clock.count()).toBe(0);
    expect(open).toBe(0);
  }
  expect(onError).not.toHaveBeenCalled();
  // Otherwise the attack would not reach what it is to test.
  expect(messages).toBeGreaterThan(runs / 3);
  expect(reasons.size).toBeGreaterThan(4);
});
