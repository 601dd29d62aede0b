import { describe, expect, it } from 'vitest';
import { createReadCounter } from './read-counter.ts';

const state = { get: () => null, exists: () => false, childGet: () => null, childExists: () => false };

const rig = (stepMs: number) => {
  let now = 0;
  const shown: number[] = [];
  const nowMs = (): number => now;
  const counter = createReadCounter((values) => void shown.push(values), nowMs);
  const reads = counter.counted(state);
  const read = (count: number): void => {
    for (let i = 0; i < count; i++) {
      now += stepMs;
      reads.get();
    }
  };
  return { counter, reads, read, shown };
};

describe('the counter of reads', () => {
  it('reports within a run, at most every 250 ms, and once more when it has ended', () => {
    const { counter, read, shown } = rig(0.5);
    counter.during(() => {
      read(2048);
      expect(shown).toEqual([256, 768, 1280, 1792]);
    });
    expect(shown.at(-1)).toBe(0);
  });

  it('begins again with each run, whether the last one has ended or thrown', () => {
    const { counter, read, shown } = rig(1);
    const fail = (): void =>
      counter.during(() => {
        read(256);
        throw new Error('a miss');
      });
    expect(fail).toThrow('a miss');
    counter.during(() => read(256));
    expect(shown).toEqual([256, 0, 256, 0]);
  });

  it('says nothing of short runs', () => {
    const { counter, read, shown } = rig(1);
    for (let run = 0; run < 10; run++) counter.during(() => read(100));
    expect(shown).toEqual([]);
  });

  it('counts every kind of read', () => {
    const { counter, reads, shown } = rig(1);
    counter.during(() => {
      for (let i = 0; i < 64; i++) {
        reads.get();
        reads.exists();
        reads.childGet();
        reads.childExists();
      }
    });
    expect(shown).toEqual([256, 0]);
  });
});
