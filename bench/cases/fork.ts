import type { Bench } from '../figure.ts';
import { measureFixture } from '../fork-fixture.ts';
import { measureBlocks } from './fork-blocks.ts';
import { measureCommand } from './fork-command.ts';
import { measureDryRun } from './fork-dry-run.ts';
import { measureForkReads } from './fork-reads.ts';
import { measureReplay } from './fork-replay.ts';

export const fork: Bench = {
  name: 'fork',
  about:
    'forks of a live chain: first block, empty blocks, transfers, dry runs, tests on a pack, what is read, replay',
  run: async () => [
    ...(await measureCommand()),
    ...(await measureBlocks()),
    ...(await measureDryRun()),
    ...(await measureFixture()),
    ...(await measureForkReads()),
    ...(await measureReplay()),
  ],
};
