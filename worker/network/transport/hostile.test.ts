import { expect, test, vi } from 'vitest';
import { createRandom } from '../../../test/rigs/random.ts';
import { concatBytes } from '../../bytes/bytes.ts';
import { connect } from './connect.ts';
import type { Served } from './connection.ts';
import { createFrames } from './hostile-frames.fixture.ts';
import { serveIdentify } from './identify.ts';
import { fillWith } from './noise/records.ts';
import { baseOptions, carrierPair, createClock, keyOf, settled } from './pair.fixture.ts';
import { servePing } from './ping.ts';
import { createUpgrade } from './upgrade.ts';

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
    const next = createFrames(random, ['/echo/1', '/ipfs/ping/1.0.0', '/ipfs/id/1.0.0']);
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
