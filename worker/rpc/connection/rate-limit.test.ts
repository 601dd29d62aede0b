import { describe, expect, it } from 'vitest';
import { createFakeNode } from '../fake-parts.fixture.ts';
import { createRpcServer } from '../server.ts';
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

it('a batch of submissions is not refused for waiting: its calls take their turns one after another', async () => {
  const sleeping: { readonly untilMs: number; readonly wake: () => void }[] = [];
  let nowMs = 0;
  const clock: RateClock = {
    now: () => nowMs,
    random: () => 0.5,
    sleep: (ms) => new Promise((wake) => sleeping.push({ untilMs: nowMs + ms, wake })),
  };
  const connection = createRpcServer(createFakeNode().parts, { clock }).connect(() => undefined, {
    dialect: 'polkadot-sdk',
    denyUnsafe: false,
    transport: 'ws',
    limits: { callsPerMinute: 60 },
  });
  const params = ['0x0004'];
  const calls = Array.from({ length: 160 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'author_submitExtrinsic',
    params,
  }));
  let text: string | null = null;
  const answered = Promise.resolve(connection.handle(JSON.stringify(calls))).then((answer) => {
    text = answer;
  });
  while (text === null) {
    await new Promise(setImmediate);
    const next = sleeping.sort((a, b) => a.untilMs - b.untilMs).shift();
    nowMs = Math.max(nowMs, next?.untilMs ?? 0);
    next?.wake();
  }
  await answered;
  const answers = JSON.parse(text) as { readonly error?: { readonly code: number } }[];
  expect(answers.filter(({ error }) => error?.code === -32999)).toEqual([]);
  expect(answers.length).toBe(calls.length);
});
