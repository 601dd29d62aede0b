import { expect, it } from 'vitest';
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
