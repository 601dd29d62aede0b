import { expect, it, vi } from 'vitest';
import { forkProgressText, openForkProgress } from './fork-progress.ts';
import { createProgress } from './terminal.ts';

const run = (isTTY: boolean): string[] => {
  const written: string[] = [];
  let time = 1000;
  const progress = createProgress('blocks', { isTTY, write: (text) => written.push(text) }, () => time);
  progress.show(0, 2000);
  time += 50;
  progress.show(10, 2000);
  time += 950;
  progress.show(1500, 2000);
  time += 1000;
  progress.show(4000);
  progress.end();
  return written;
};

it('shows count, share and rate on a terminal, at most ten times per second, and removes the line', () => {
  expect(run(true)).toEqual([
    '\r\u001b[K[                    ] 0 of 2,000 blocks',
    '\r\u001b[K[===============     ] 1,500 of 2,000 blocks, 1,500/s',
    '\r\u001b[K4,000 blocks, 2,000/s',
    '\r\u001b[K',
  ]);
});

it('writes nothing if stderr is not a terminal', () => expect(run(false)).toEqual([]));

it('shows what a fork reads, by name, and nothing if stderr is not a terminal', async () => {
  const written: string[] = [];
  const stderr = { isTTY: true, write: (text: string) => written.push(text) };
  const progress = openForkProgress(stderr);
  if (progress === null) throw new Error('no progress');
  const reading = { pallet: 'Staking', item: null, keys: 140 };
  progress.port.postMessage({ requests: 12, bytes: 1_234_567, items: 300, reading });
  await vi.waitFor(() =>
    expect(written).toEqual(['\r\u001b[KReading 140 items of Staking; 12 requests, 1.2 MB']),
  );
  progress.close();
  expect(written.at(-1)).toBe('\r\u001b[K');
  expect(openForkProgress({ ...stderr, isTTY: false })).toBeNull();
});

it('names one item, the state where it has no names, the block before the first one, and no request before there is one', () => {
  const sums = { requests: 1, bytes: 50_000, items: 1 };
  expect(forkProgressText({ ...sums, reading: { pallet: 'Babe', item: 'Epoch', keys: 1 } })).toBe(
    'Reading 1 item of Babe.Epoch; 1 request, 0.1 MB',
  );
  expect(forkProgressText({ ...sums, reading: null })).toContain('Reading 1 item of the state');
  expect(forkProgressText({ ...sums, items: 0, reading: null })).toContain('Reading the block');
  expect(forkProgressText({ requests: 0, bytes: 0, items: 0, reading: null })).toBe('Connecting…');
});
