import type { Page } from 'playwright';
import type { Line } from '../figure.ts';
import { type MainThread, openMainThread } from './threads.ts';

export type Frames = {
  /** Milliseconds from each frame to the next. */
  readonly deltas: readonly number[];
  /** Milliseconds of each main thread task that took more than 50. */
  readonly long: readonly number[];
};

/** Runs in the page: records each animation frame for `ms`. */
const recordInPage = (ms: number): Promise<Frames> =>
  new Promise((resolve) => {
    const deltas: number[] = [];
    const long: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) long.push(duration);
    });
    observer.observe({ entryTypes: ['longtask'] });
    let begin = 0;
    let last = 0;
    const step = (now: number): void => {
      if (begin === 0) begin = now;
      else deltas.push(now - last);
      last = now;
      if (now - begin < ms) requestAnimationFrame(step);
      else {
        observer.disconnect();
        resolve({ deltas, long });
      }
    };
    requestAnimationFrame(step);
  });

const smoothMs = 17.5;
/** A later frame missed at least one turn at 60 per second. */
const lateMs = 1.5 * (1000 / 60);

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN;

const frameLine = (name: string, { deltas, long }: Frames, before: MainThread, after: MainThread): Line => {
  const per = (spent: keyof MainThread): number => (after[spent] - before[spent]) / deltas.length;
  const late = deltas.filter((delta) => delta > lateMs).length / deltas.length;
  return {
    name,
    value: percentile(deltas, 0.95),
    cpu: per('all'),
    unit: 'ms',
    budget: smoothMs,
    note: [
      `${deltas.length} frames, ${(100 * late).toFixed(1)} % late`,
      `${long.length} long tasks${long.length > 0 ? ` (longest ${Math.max(...long).toFixed(0)} ms)` : ''}`,
      `of the CPU ${per('script').toFixed(1)} script, ${per('drawing').toFixed(1)} style and layout`,
    ].join('; '),
  };
};

/** The 95th percentile of the frame times during `work`, and the main thread's cost per frame. */
export const measureFrames = async (
  page: Page,
  name: string,
  ms: number,
  work: (signal: AbortSignal) => Promise<void> = async () => undefined,
): Promise<Line> => {
  const thread = await openMainThread(page);
  const done = new AbortController();
  const before = await thread.read();
  const recording = page.evaluate(recordInPage, ms).finally(() => done.abort());
  await work(done.signal);
  const frames = await recording;
  const after = await thread.read();
  await thread.session.detach();
  return frameLine(name, frames, before, after);
};
