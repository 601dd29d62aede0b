import { describe, expect, it } from 'vitest';
import { createRateLimit, type RateClock } from './rate-limit.ts';

/** A clock that jumps to the end of a sleep. */
const createFakeClock = (): RateClock & { readonly slept: number[]; nowMs: number } => {
  const clock = {
    nowMs: 0,
    slept: [] as number[],
    now: () => clock.nowMs,
    sleep: async (ms: number) => {
      clock.slept.push(ms);
      clock.nowMs += ms;
    },
    random: () => 0.5,
  };
  return clock;
};

describe('the rate limit', () => {
  it("allows a minute's calls at once, then one per share of a minute", async () => {
    const clock = createFakeClock();
    const turn = createRateLimit(5, clock);
    for (let call = 0; call < 5; call++) expect(await turn()).toBe(true);
    expect(clock.slept).toEqual([]);
    expect(await turn()).toBe(true);
    expect(clock.slept).toEqual([12_025]);
  });

  it('has its full allowance again after an idle minute', async () => {
    const clock = createFakeClock();
    const turn = createRateLimit(3, clock);
    for (let round = 0; round < 3; round++) {
      for (let call = 0; call < 3; call++) expect(await turn()).toBe(true);
      clock.nowMs += 60_000;
    }
    expect(clock.slept).toEqual([]);
  });

  it('gives up after ten turns taken by other calls', async () => {
    const clock = createFakeClock();
    const turn = createRateLimit(1, {
      ...clock,
      // Sleeping takes no time, so there is never a free turn.
      sleep: async () => undefined,
    });
    expect(await turn()).toBe(true);
    expect(await turn()).toBe(false);
  });
});
