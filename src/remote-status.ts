import { NodeError } from './protocol/errors.ts';
import type { NodeStatus } from './protocol/node.ts';

/** What a text of the status may have at most: the devtools lay all of them out. */
const longestText = 1000;
/** The last time that a Date can hold. */
const lastMs = 8_640_000_000_000_000;

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= longestText;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isMode = (value: unknown): boolean =>
  isRecord(value) && isText(value['kind']) && (value['kind'] !== 'interval' || isCount(value['ms']));
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isFault = (value: unknown): boolean =>
  value === null || (isRecord(value) && isText(value['code']) && isText(value['message']));
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const checks: Readonly<Record<keyof NodeStatus, (value: unknown) => boolean>> = {
  chainName: isText,
  genesisHash: isText,
  bestHash: isText,
  bestNumber: isCount,
  finalizedHash: isText,
  finalizedNumber: isCount,
  ready: isCount,
  future: isCount,
  seal: isMode,
  sealFault: isFault,
  finality: isMode,
  finalityChosen: isFlag,
  finalityUndecided: isFlag,
  storage: isText,
  storageFault: isFault,
  specName: isText,
  specVersion: isCount,
  modified: isFlag,
  edited: isTexts,
  impersonated: isTexts,
  mockSignatures: isFlag,
  trustBlocks: isFlag,
  ignoredSpecFields: isTexts,
  statePruning: (value) => isText(value) || isCount(value),
  clockMovedToMs: (value) => isCount(value) && (value as number) <= lastMs,
  equivocations: isRecord,
  base: (value) => value === undefined || isRecord(value),
  fork: (value) => value === null || isRecord(value),
};

/**
 * What another node returned for `dev_status`. Throws `Unsupported`, with the first field that is not as in this
 * version: another version of Tabnode has others, and another node may return anything.
 */
export const readStatus = (value: unknown): NodeStatus => {
  const given = isRecord(value) ? value : {};
  for (const [name, check] of Object.entries(checks))
    if (!check(given[name]))
      throw new NodeError(
        'Unsupported',
        `This node reports its status in a form that this page does not read (\`${name}\`): it may be of another version of Tabnode.`,
      );
  return given as NodeStatus;
};
