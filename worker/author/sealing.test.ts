import { expect, it } from 'vitest';
import type { SealMode } from '../../src/protocol/node.ts';
import type { PoolTransaction } from '../pool/pool.ts';
import type { SealResult } from './author.ts';
import { createSealing, type SealingDeps } from './sealing.ts';

type Timer = { readonly ms: number; readonly run: () => void };

const sealed = { ok: true, included: 0 } as SealResult;

/** Sealing controlled by the test: the pending timers, and the number of blocks requested. */
const begin = (
  mode: SealMode,
  results: readonly (SealResult | Error)[] = [],
  times: readonly number[] = [],
  findWait = async (): Promise<string | null> => null,
) => {
  const timers = new Set<Timer>();
  const failures: string[] = [];
  const wakes = new Set<Parameters<SealingDeps['pool']['onReady']>[0]>();
  let blocks = 0;
  const held = { ms: 0 };
  const author = {
    seal: async () => {
      blocks += 1;
      const result = results[blocks - 1] ?? sealed;
      if (result instanceof Error) throw result;
      return result;
    },
    slotMs: async () => 6000,
    heldMs: () => held.ms,
  };
  const sealing = createSealing(
    {
      author,
      pool: {
        onReady: (listener) => {
          wakes.add(listener);
          return () => wakes.delete(listener);
        },
        // A transaction stays pending until a block is sealed.
        readyCount: () => (blocks < results.length ? 1 : 0),
      },
      now: () => 0,
      findWait,
      chainTime: async () => times[blocks - 1] ?? null,
      schedule: (ms, run) => {
        const timer = { ms, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
      onFailure: ({ message }) => failures.push(message),
      onMode: () => undefined,
    },
    mode,
  );
  const waits = (): number[] => [...timers].map(({ ms }) => ms);
  /** Runs the timer. There is never more than one. */
  const fire = async (): Promise<void> => {
    expect(timers.size).toBeLessThanOrEqual(1);
    for (const timer of [...timers]) {
      timers.delete(timer);
      timer.run();
    }
    // The next wait starts when the block is done.
    if (mode.kind !== 'instant') await expect.poll(waits).toHaveLength(1);
  };
  const wake = (): void => {
    for (const listener of wakes) listener({} as PoolTransaction);
  };
  return { sealing, waits, fire, wake, held, blocks: () => blocks, failures };
};

it('the first block of an interval comes after 250 ms, or the interval if that is shorter; then one per interval', async () => {
  for (const [ms, first] of [
    [2000, 250],
    [100, 100],
  ] as const) {
    const { sealing, waits, fire, blocks, failures } = begin({ kind: 'interval', ms });
    expect([blocks(), waits()]).toEqual([0, [first]]);
    await fire();
    expect([blocks(), waits()]).toEqual([1, [ms]]);
    await fire();
    expect([blocks(), waits()]).toEqual([2, [ms]]);
    sealing.close();
    expect([waits(), failures]).toEqual([[], []]);
  }
});

it('a persistent failure is reported once, and again after a block', async () => {
  const refused = { ok: false, code: 'NoClaimableKey', message: 'no key' } as SealResult;
  const other = { ok: false, code: 'Aborted', message: 'aborted' } as SealResult;
  const { sealing, fire, failures } = begin({ kind: 'interval', ms: 2000 }, [
    refused,
    refused,
    other,
    refused,
    sealed,
    refused,
  ]);
  for (let block = 0; block < 6; block++) await fire();
  expect(failures).toEqual(['no key', 'aborted', 'no key', 'no key']);
  expect(sealing.fault()?.code).toBe('NoClaimableKey');
  sealing.close();
});

it('by slots, nothing is sealed while the network gives a reason to wait, and the status says it', async () => {
  let wait: string | null = 'The node is far behind its peers';
  const { sealing, fire, blocks, failures } = begin({ kind: 'slots' }, [], [], async () => wait);
  await fire();
  expect([blocks(), sealing.fault()?.message]).toEqual([0, wait]);
  wait = null;
  await fire();
  expect([blocks(), sealing.fault(), failures]).toEqual([1, null, []]);
  sealing.close();
  const fixed = begin({ kind: 'interval', ms: 100 }, [], [], async () => 'far behind');
  await fixed.fire();
  expect(fixed.blocks()).toBe(1);
  fixed.sealing.close();
});

it('a mode that is replaced while the network is asked seals nothing any more', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const { sealing, waits, fire, blocks } = begin({ kind: 'slots' }, [], [], () => promise);
  const asked = fire();
  sealing.setMode({ kind: 'interval', ms: 100 });
  resolve(null);
  await asked;
  expect([blocks(), waits()]).toEqual([0, [100]]);
  sealing.close();
});

it('slots of the wall clock start at once', () => {
  const { sealing, waits } = begin({ kind: 'slots' });
  expect(waits()).toEqual([0]);
  sealing.setMode({ kind: 'manual' });
  expect(waits()).toEqual([]);
});

it.each([{ kind: 'interval', ms: 2000 }, { kind: 'slots' }] as const)(
  'with $kind, an exception is reported and shown, and the next turn seals',
  async (mode) => {
    const fault = new TypeError('not a function');
    const { sealing, fire, failures, blocks } = begin(mode, [fault, sealed]);
    await fire();
    expect(failures).toEqual(['not a function']);
    expect(sealing.fault()).toMatchObject({
      ok: false,
      code: 'Internal',
      message: 'not a function',
      cause: fault,
    });
    await fire();
    expect([blocks(), failures.length, sealing.fault()]).toEqual([2, 1, null]);
    sealing.close();
  },
);

it('on transactions, an exception is reported and shown, and the next transaction seals', async () => {
  const { sealing, fire, wake, failures, blocks } = begin({ kind: 'instant' }, [
    new TypeError('odd'),
    sealed,
  ]);
  await fire();
  await expect.poll(() => failures).toEqual(['odd']);
  expect(sealing.fault()).toMatchObject({ code: 'Internal', message: 'odd' });
  wake();
  await fire();
  await expect.poll(() => sealing.fault()).toBeNull();
  expect(blocks()).toBe(2);
  sealing.close();
});

it('with slots, a chain ahead of the clock reports until when, but not as a failure', async () => {
  const none = { ok: false, code: 'NoClaimableKey', message: 'no key' } as SealResult;
  const { sealing, fire, failures } = begin(
    { kind: 'slots' },
    [none, none, none, sealed],
    [60_000, 0, 60_000],
  );
  await fire();
  expect(sealing.fault()).toEqual({
    ok: false,
    code: 'Unsupported',
    message:
      'Chain time is ahead of the clock: by slots no block is due before 1970-01-01 00:01:06 UTC. Wait, or choose another seal mode',
  });
  // A slot of another author.
  await fire();
  expect(sealing.fault()).toBeNull();
  await fire();
  expect(sealing.fault()).not.toBeNull();
  await fire();
  expect(sealing.fault()).toBeNull();
  sealing.close();
  expect(failures).toEqual([]);
});

it('on transactions, waits until an import has ended', async () => {
  const { sealing, fire, held, waits, blocks } = begin({ kind: 'instant' }, [sealed]);
  held.ms = 5000;
  await fire();
  await expect.poll(waits).toEqual([1000]);
  expect(blocks()).toBe(0);
  held.ms = 0;
  await fire();
  await fire();
  await expect.poll(blocks).toBe(1);
  sealing.close();
});

it('however many transactions become ready while an import holds blocks, one timer looks whether it has ended', async () => {
  const { sealing, fire, wake, held, waits, blocks } = begin({ kind: 'instant' }, [sealed]);
  held.ms = 5000;
  await fire();
  for (let ready = 0; ready < 5000; ready++) wake();
  expect(waits()).toEqual([1000]);
  await fire();
  for (let ready = 0; ready < 5000; ready++) wake();
  expect([waits(), blocks()]).toEqual([[1000], 0]);
  // The first transaction after the import is sealed at once.
  held.ms = 0;
  for (let ready = 0; ready < 5000; ready++) wake();
  expect(waits()).toEqual([0]);
  await fire();
  await expect.poll(blocks).toBe(1);
  wake();
  expect(waits()).toHaveLength(1);
  sealing.close();
  expect(waits()).toEqual([]);
});

it('an interval skips its blocks until an import has ended, and says why', async () => {
  const { sealing, fire, held, blocks, failures } = begin({ kind: 'interval', ms: 2000 });
  held.ms = 5000;
  await fire();
  expect([blocks(), failures, sealing.fault()?.message]).toEqual([0, [], 'Blocks are being imported']);
  held.ms = 0;
  await fire();
  expect([blocks(), sealing.fault()]).toEqual([1, null]);
  sealing.close();
});
