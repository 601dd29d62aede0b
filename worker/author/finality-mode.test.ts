import { describe, expect, it } from 'vitest';
import { createRig, openRig } from './finality-rig.fixture.ts';

const delayed = { kind: 'delayed', ms: 1000 } as const;

/** Expects that these are finalized exactly at `ms`, and nothing a millisecond earlier. */
const expectFinalAfter = async (
  { pass, finals }: Pick<ReturnType<typeof createRig>, 'pass' | 'finals'>,
  ms: number,
  expected: readonly string[],
): Promise<void> => {
  const before = [...finals];
  await pass(ms - 1);
  expect(finals).toEqual(before);
  await pass(1);
  expect(finals).toEqual(expected);
};

describe('delayed finality', () => {
  it('finalizes an own block when its delay is over, not a millisecond earlier', async () => {
    const { add, pass, finals } = openRig(delayed);
    add('a', '0');
    await expectFinalAfter({ pass, finals }, 1000, ['a']);
  });

  it('starts the delay when watchers have been notified, however late that is', async () => {
    const { add, pass, settle, finals } = openRig(delayed);
    const told = Promise.withResolvers<void>();
    settle(told.promise);
    add('a', '0');
    await pass(5000);
    told.resolve();
    await expectFinalAfter({ pass, finals }, 1000, ['a']);
  });

  it('finalizes the newest block whose delay is over, with a single timer', async () => {
    const { add, pass, timers, finals } = openRig(delayed);
    add('1', '0');
    add('2', '1');
    await pass(400);
    add('3', '2');
    await pass(0);
    expect(timers()).toBe(1);
    await pass(600);
    expect(finals).toEqual(['2']);
    await pass(400);
    expect(finals).toEqual(['2', '3']);
    expect(timers()).toBe(0);
  });

  it('gives responses time to be sent if its timer is late', async () => {
    const { add, pass, stall, finals } = openRig(delayed);
    add('a', '0');
    await stall(5000);
    expect(finals).toEqual([]);
    await expectFinalAfter({ pass, finals }, 250, ['a']);
  });

  it('finalizes by blocks: once enough have been built on top, without a timer', async () => {
    const { add, pass, timers, finals } = openRig({ kind: 'delayed', blocks: 2 });
    add('1', '0');
    add('2', '1');
    await pass(60_000);
    expect([finals, timers()]).toEqual([[], 0]);
    add('3', '2');
    await pass(0);
    expect(finals).toEqual(['1']);
  });

  it('never finalizes a block that has left the best chain or was never on it', async () => {
    const { add, pass, finals } = openRig(delayed);
    add('a1', '0');
    add('b1', '0');
    await pass(500);
    add('b2', 'b1');
    await pass(500);
    expect(finals).toEqual([]);
    await pass(500);
    expect(finals).toEqual(['b2']);
  });

  it('forgets a block that left the best chain', async () => {
    const { add, pass, asked } = openRig(delayed);
    add('a1', '0');
    add('b1', '0', false);
    add('b2', 'b1', false);
    await pass(60_000);
    expect(asked).toEqual([]);
  });

  it('never selects a foreign block; foreign ancestors of an own block are finalized with it', async () => {
    const { add, pass, timers, finals } = openRig(delayed);
    add('1', '0', false);
    add('2', '1', false);
    await pass(60_000);
    expect([finals, timers()]).toEqual([[], 0]);
    add('3', '2');
    add('4', '3', false);
    await pass(60_000);
    expect(finals).toEqual(['3']);
  });

  it('has nothing to do if a block was finalized earlier by other means', async () => {
    const { add, pass, finalize, timers, finals } = openRig(delayed);
    add('1', '0');
    await pass(100);
    finalize('1');
    await pass(60_000);
    expect([finals, timers()]).toEqual([[], 0]);
  });

  it('restarts the delay when it opens a chain, and after the head was moved', async () => {
    const { open, add, move, pass, finals } = createRig(delayed);
    add('1', '0');
    add('2', '1');
    open();
    await pass(500);
    move('1');
    await expectFinalAfter({ pass, finals }, 500, ['1']);
    move('2');
    await pass(1000);
    expect(finals).toEqual(['1', '2']);
  });

  it('reports an error and retries after another delay', async () => {
    const { add, fail, pass, errors, finals } = openRig(delayed);
    add('1', '0');
    const full = new Error('disk full');
    fail(full, full);
    await pass(1000);
    expect([errors, finals]).toEqual([[full], []]);
    await pass(1999);
    expect([errors, finals]).toEqual([[full, full], []]);
    await pass(1);
    expect(finals).toEqual(['1']);
  });

  it('by blocks, retries after an error with the next block', async () => {
    const { add, fail, pass, errors, finals } = openRig({ kind: 'delayed', blocks: 1 });
    fail(new Error('disk full'));
    add('1', '0');
    add('2', '1');
    await pass(1000);
    expect([errors.length, finals]).toEqual([1, []]);
    add('3', '2');
    await pass(0);
    expect(finals).toEqual(['2']);
  });

  it('does not finalize a foreign head when it opens a chain', async () => {
    const { open, add, pass, finals } = createRig(delayed);
    add('1', '0');
    add('2', '1', false);
    open();
    await pass(60_000);
    expect(finals).toEqual(['1']);
  });

  it('sets no timer for a block if it is closed before watchers are notified', async () => {
    const { finality, add, pass, settle, timers } = openRig(delayed);
    const told = Promise.withResolvers<void>();
    settle(told.promise);
    add('1', '0');
    finality.close();
    told.resolve();
    await pass(0);
    expect(timers()).toBe(0);
  });

  it('cancels its timer when it is closed', async () => {
    const { finality, add, pass, timers, finals } = openRig(delayed);
    add('1', '0');
    await pass(100);
    finality.close();
    expect(timers()).toBe(0);
    add('2', '1');
    await pass(60_000);
    expect([finals, timers()]).toEqual([[], 0]);
  });
});

describe('the finality mode', () => {
  it('follows the seal mode until one is chosen', () => {
    const { finality } = openRig(null, { kind: 'interval', ms: 2000 });
    const byDefault = { kind: 'delayed', ms: 1500 };
    expect([finality.mode(), finality.isChosen()]).toEqual([byDefault, false]);
    finality.followSeal({ kind: 'manual' });
    expect(finality.mode()).toEqual({ kind: 'instant' });
    finality.followSeal({ kind: 'slots' });
    expect(finality.mode()).toEqual(byDefault);
    finality.setMode({ kind: 'manual' });
    finality.followSeal({ kind: 'instant' });
    expect([finality.mode(), finality.isChosen()]).toEqual([{ kind: 'manual' }, true]);
  });

  it('switched to instant, finalizes waiting blocks at once; switched to manual, none', async () => {
    for (const [kind, expected] of [
      ['instant', ['1']],
      ['manual', []],
    ] as const) {
      const { finality, add, pass, timers, finals } = openRig(delayed);
      add('1', '0');
      await pass(100);
      finality.setMode({ kind });
      await pass(0);
      expect([finals, timers()]).toEqual([expected, 0]);
      await pass(60_000);
      expect(finals).toEqual(expected);
    }
  });

  it('switched from manual to instant, finalizes earlier blocks at once', async () => {
    const { finality, add, pass, finals } = openRig({ kind: 'manual' });
    add('1', '0');
    add('2', '1');
    await pass(5000);
    finality.setMode({ kind: 'instant' });
    await pass(0);
    expect(finals).toEqual(['2']);
  });

  it('switched from manual to delayed, finalizes earlier blocks after the delay', async () => {
    const { finality, add, pass, finals } = openRig({ kind: 'manual' });
    add('1', '0');
    await pass(5000);
    finality.setMode(delayed);
    await expectFinalAfter({ pass, finals }, 1000, ['1']);
  });
});
