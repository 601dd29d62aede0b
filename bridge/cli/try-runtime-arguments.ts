import {
  mostMaxBlocks,
  type UpgradeChecks,
  upgradeChecks,
  usualMaxBlocks,
} from '../../src/protocol/rehearsal.ts';
import { bad, read } from './arguments.ts';
import { type OptionTable, switches, texts } from './command.ts';
import {
  type LiveArguments,
  nowhere,
  parseBlock,
  type SaveArguments,
  saveOptions,
  toEndpoints,
} from './live-arguments.ts';

export type TryRuntimeArguments = SaveArguments &
  LiveArguments & {
    /** The file of the new runtime. */
    readonly runtime: string;
    /** The file of a pack of a fork; null: none. */
    readonly pack: string | null;
    /** A hash, a number, `best` or `finalized`; undefined: the base of the pack, or the finalized block. */
    readonly block: string | undefined;
    /** Undefined: as the runtime has them. */
    readonly checks: UpgradeChecks | undefined;
    readonly maxBlocks: number;
    readonly json: boolean;
  };

export const tryRuntimeOptions = {
  ...texts('any', 'runtime', 'block', 'checks', 'max-blocks', 'pack'),
  ...saveOptions,
  ...switches('any', 'json'),
} as const satisfies OptionTable;

const parseMaxBlocks = (text: string): number => {
  const count = Number(text);
  if (/^\d{1,7}$/.test(text) && count > 0 && count <= mostMaxBlocks) return count;
  throw bad(`--max-blocks ${text}: expected a number of blocks from 1 to ${mostMaxBlocks}`);
};

/** Also in the spelling of chopsticks: `PreAndPost`. */
const parseChecks = (text: string): UpgradeChecks => {
  const plain = (name: string): string => name.toLowerCase().replaceAll('-', '');
  const found = upgradeChecks.find((name) => plain(name) === plain(text));
  if (found !== undefined) return found;
  throw bad(`--checks ${text}: expected one of ${upgradeChecks.join(', ')}`);
};

export const parseTryRuntimeArguments = (args: readonly string[]): TryRuntimeArguments => {
  const { values, positionals } = read(args, tryRuntimeOptions, true);
  const { runtime, block, checks, pack = null, save = null, yes = false, json = false } = values;
  if (runtime === undefined) throw bad('try-runtime needs --runtime FILE, the .wasm of the new runtime');
  if (pack !== null && block !== undefined)
    throw bad('--pack has its own base, on which the upgrade is rehearsed: leave out --block');
  return {
    ...(pack !== null && positionals.length === 0 ? nowhere : toEndpoints('try-runtime', positionals)),
    runtime,
    block: block === undefined ? undefined : parseBlock(block),
    checks: checks === undefined ? undefined : parseChecks(checks),
    maxBlocks: values['max-blocks'] === undefined ? usualMaxBlocks : parseMaxBlocks(values['max-blocks']),
    ...{ pack, save, yes, json },
  };
};
