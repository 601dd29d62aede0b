import {
  bad,
  type ChainArguments,
  chainOptions,
  type PlaceArguments,
  placeOptions,
  read,
  toChainArguments,
  toKeptPlace,
} from './arguments.ts';
import { type OptionTable, switches, texts } from './command.ts';

export type ImportArguments = ChainArguments & {
  /** Null: standard input. */
  readonly file: string | null;
  readonly binary: boolean;
};

export type ExportArguments = PlaceArguments & {
  /** Null: standard output. */
  readonly file: string | null;
  readonly yes: boolean;
  readonly binary: boolean;
  /** Whether the line that identifies the chain is written first even where it is not required. */
  readonly chainLine: boolean;
  readonly from: number;
  /** Null: the best block. */
  readonly to: number | null;
};

export const importOptions = {
  ...chainOptions,
  ...switches('any', 'binary'),
} as const satisfies OptionTable;

export const exportOptions = {
  ...placeOptions,
  ...switches('any', 'binary', 'chain-line'),
  ...texts('any', 'from', 'to'),
  yes: { by: 'any', type: 'boolean', short: 'y' },
} as const satisfies OptionTable;

const parseFile = (command: string, [file, ...rest]: readonly string[]): string | null => {
  if (rest.length > 0) throw bad(`${command} takes one FILE`);
  return file === undefined || file === '-' ? null : file;
};

export const parseImportArguments = (args: readonly string[]): ImportArguments => {
  const { values, positionals } = read(args, importOptions, true);
  const file = parseFile('import-blocks', positionals);
  return { ...toChainArguments(values), file, binary: values.binary === true };
};

/** A block number. */
const parseNumber = (flag: string, text: string): number => {
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number <= 0xffff_ffff) return number;
  throw bad(`${flag} ${text}: expected a block number`);
};

export const parseExportArguments = (args: readonly string[]): ExportArguments => {
  const { values, positionals } = read(args, exportOptions, true);
  const { binary = false, 'chain-line': chainLine = false, yes = false } = values;
  if (binary && chainLine) throw bad('--binary and --chain-line cannot be combined');
  const from = parseNumber('--from', values.from ?? '1');
  const to = values.to === undefined ? null : parseNumber('--to', values.to);
  if (to !== null && to > 0 && to < from) throw bad(`--from ${from} is above --to ${to}`);
  const file = parseFile('export-blocks', positionals);
  return { ...toKeptPlace('export-blocks', values), file, yes, binary, chainLine, from, to };
};
