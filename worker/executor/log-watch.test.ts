import { describe, expect, it } from 'vitest';
import type { Overlay } from '../state/overlay.ts';
import { createLogFilter } from './log-filter.ts';
import { createLogWatch, type RuntimeLog } from './log-watch.ts';
import type { CallResult } from './runtime.ts';

const overlay = (): Overlay => ({}) as Overlay;
const header = Uint8Array.of(...new Uint8Array(32), 7 << 2);
const noInput = new Uint8Array();
const logged = (...levels: number[]): CallResult => ({
  ok: true,
  output: noInput,
  logs: levels.map((level) => ({ level, target: 't', message: `${level}` })),
});

describe('the log of runtimes', () => {
  it('requests the level of the most verbose reader, and the default without readers', () => {
    const watch = createLogWatch(createLogFilter('info'));
    expect(watch.maxLevel()).toBe(3);
    const stop = watch.watch(4, () => undefined);
    watch.watch(0, () => undefined);
    expect(watch.maxLevel()).toBe(5);
    stop();
    expect(watch.maxLevel()).toBe(3);
  });

  it('adds the block number to all calls that share its overlay, and to no others', () => {
    const watch = createLogWatch(createLogFilter('info'));
    const lines: RuntimeLog[] = [];
    watch.watch(2, (line) => lines.push(line));
    const shared = overlay();
    watch.ended({ overlay: shared, method: 'Core_initialize_block', input: header }, logged(2));
    watch.ended({ overlay: shared, method: 'BlockBuilder_apply_extrinsic', input: noInput }, logged(1, 3));
    watch.ended({ overlay: overlay(), method: 'Core_version', input: header }, logged(0));
    expect(lines.map(({ level, block }) => [level, block])).toEqual([
      [2, 7],
      [1, 7],
      [0, null],
    ]);
  });
});
