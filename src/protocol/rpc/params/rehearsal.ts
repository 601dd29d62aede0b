import { mostMaxBlocks, type UpgradeChecks, upgradeChecks } from '../../rehearsal.ts';
import { refuse } from '../decoder-text.ts';
import type { Param } from '../define.ts';
import { param } from './params.ts';

/** Which checks of a runtime that was built with `try-runtime` are run. */
export const checksParam = (): Param<UpgradeChecks, UpgradeChecks> =>
  param('text', (value) => {
    const found = upgradeChecks.find((name) => name === value);
    return (
      found ??
      refuse(`unknown checks, expected one of ${upgradeChecks.map((name) => `\`${name}\``).join(', ')}`)
    );
  });

/** How many blocks multi-block migrations may take. */
export const blockCount = (): Param<number, number> =>
  param('u32', (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostMaxBlocks
      ? value
      : refuse(`expected a number of blocks from 1 to ${mostMaxBlocks}`),
  );
