import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cpuOf, cpuOfEnded, residentOf } from './usage.ts';

const spin = 'while (process.cpuUsage().user < 300_000);';

describe.skipIf(process.platform !== 'linux')('what the kernel says of a process', () => {
  it('processor time is in milliseconds, and grows with work', () => {
    const usedMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
    const [least, before, most] = [usedMs(), cpuOf(process.pid), usedMs()];
    // Of both user and system time, the kernel gives whole ticks.
    expect(before).toBeGreaterThan(least - 21);
    expect(before).toBeLessThan(most + 21);
    const from = process.cpuUsage();
    while (process.cpuUsage(from).user < 100_000);
    expect(cpuOf(process.pid) - before).toBeGreaterThanOrEqual(50);
  });

  it('processor time of an ended process is counted once', () => {
    const before = cpuOfEnded();
    spawnSync(process.execPath, ['-e', spin]);
    const after = cpuOfEnded();
    expect(after - before).toBeGreaterThanOrEqual(250);
    expect(cpuOfEnded()).toBe(after);
  });

  it('resident memory is in MB', () => {
    const mb = process.memoryUsage.rss() / 1_000_000;
    expect(residentOf(process.pid) / mb).toBeGreaterThan(0.5);
    expect(residentOf(process.pid) / mb).toBeLessThan(2);
  });
});
