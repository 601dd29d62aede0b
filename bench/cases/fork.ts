import type { Bench } from '../figure.ts';
import { measureBlocks } from './fork-blocks.ts';
import { measureCommand } from './fork-command.ts';
import { measureForkReads } from './fork-reads.ts';
import { measureReplay } from './fork-replay.ts';

export const fork: Bench = {
  name: 'fork',
  about: 'forks of a live chain: first block, empty blocks, transfers, what is read, replay',
  run: async () => [
    ...(await measureCommand()),
    ...(await measureBlocks()),
    ...(await measureForkReads()),
    ...(await measureReplay()),
  ],
};
