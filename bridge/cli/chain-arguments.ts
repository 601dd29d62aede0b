import type { SpecNames } from '../../src/protocol/offline.ts';
import { bad, type PlaceArguments, placeOptions, read, toKeptPlace, toPlaceArguments } from './arguments.ts';
import type { OptionTable } from './command.ts';

/** Where a specification is written to: a file, or null for standard output. */
type Target = { readonly file: string | null; readonly yes: boolean };

export type StateArguments = PlaceArguments &
  Target & { readonly block: string | null; readonly names: SpecNames };

export type SpecArguments = StateArguments & {
  readonly raw: boolean;
  /** A JSON file that is merged over the preset. */
  readonly patch: string | null;
  /** Whether the genesis is the state at `block` rather than the source's own genesis. */
  readonly isFromState: boolean;
};

export type BlockArguments = PlaceArguments & { readonly block: string };

export type RevertArguments = PlaceArguments & { readonly count: number; readonly yes: boolean };

export type PurgeArguments = PlaceArguments & { readonly yes: boolean };

/** For `chain-info` and `check-block`. */
export const infoOptions = placeOptions;

const yesOption = { yes: { by: 'any', type: 'boolean', short: 'y' } } as const satisfies OptionTable;

/** For `revert` and `purge-chain`. */
export const revertOptions = { ...placeOptions, ...yesOption } as const satisfies OptionTable;

export const presetsOptions = {
  chain: placeOptions.chain,
  json: placeOptions.json,
} as const satisfies OptionTable;

export const stateOptions = {
  ...placeOptions,
  ...yesOption,
  output: { by: 'any', type: 'string', short: 'o' },
  'chain-name': { by: 'any', type: 'string' },
  'chain-id': { by: 'any', type: 'string' },
  'chain-type': { by: 'any', type: 'string' },
  properties: { by: 'any', type: 'string', multiple: true },
} as const satisfies OptionTable;

export const specOptions = {
  ...stateOptions,
  raw: { by: 'any', type: 'boolean' },
  patch: { by: 'any', type: 'string' },
  block: { by: 'any', type: 'string' },
  'disable-default-bootnode': { by: 'any', type: 'boolean' },
} as const satisfies OptionTable;

/** Numbers and booleans keep their type in the specification. */
const toValue = (text: string): unknown => (/^(\d{1,15}|true|false)$/.test(text) ? JSON.parse(text) : text);

/** `name=value,…`, as in chain-spec-builder. */
const toProperties = (texts: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    texts
      .flatMap((text) => text.split(','))
      .map((text) => {
        const [, name, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
        if (name === undefined || value === undefined)
          throw bad(`--properties ${text}: expected name=value, such as tokenSymbol=UNIT`);
        return [name, toValue(value)] as const;
      }),
  );

type Named = {
  readonly 'chain-name'?: string | undefined;
  readonly 'chain-id'?: string | undefined;
  readonly 'chain-type'?: string | undefined;
  readonly properties?: readonly string[] | undefined;
};

const toNames = (values: Named): SpecNames => {
  const { 'chain-name': name, 'chain-id': id, 'chain-type': chainType, properties } = values;
  return {
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
    ...(chainType === undefined ? {} : { chainType: chainType.replace(/^(dev|local|live)/i, titled) }),
    ...(properties === undefined ? {} : { properties: toProperties(properties) }),
  };
};

const titled = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();

/** A hash, with or without `0x`, or a number. */
const parseBlock = (text: string): string => {
  if (/^((0x)?[0-9a-f]{64}|\d{1,10})$/i.test(text)) return text;
  throw bad(`${text} is neither the hash nor the number of a block`);
};

const toTarget = ({
  output,
  yes = false,
}: {
  output?: string | undefined;
  yes?: boolean | undefined;
}): Target => ({
  file: output === undefined || output === '-' ? null : output,
  yes,
});

const parseOne = (command: string, what: string, [first, ...rest]: readonly string[]): string | null => {
  if (rest.length > 0) throw bad(`${command} takes one ${what}`);
  return first ?? null;
};

export const parseSpecArguments = (args: readonly string[]): SpecArguments => {
  const { values } = read(args, specOptions, false);
  const { raw = false, patch = null, block } = values;
  if (block !== undefined && patch !== null) throw bad('--block and --patch cannot be combined');
  const place = block === undefined ? toPlaceArguments(values) : toKeptPlace('build-spec --block', values);
  return {
    ...place,
    ...toTarget(values),
    raw,
    patch,
    block: block === undefined || block === 'best' ? null : parseBlock(block),
    isFromState: block !== undefined,
    names: toNames(values),
  };
};

export const parsePresetsArguments = (args: readonly string[]): PlaceArguments =>
  toPlaceArguments(read(args, presetsOptions, false).values);

export const parseStateArguments = (args: readonly string[]): StateArguments => {
  const { values, positionals } = read(args, stateOptions, true);
  const block = parseOne('export-state', 'BLOCK', positionals);
  return {
    ...toKeptPlace('export-state', values),
    ...toTarget(values),
    block: block === null ? null : parseBlock(block),
    names: toNames(values),
  };
};

export const parseBlockArguments = (args: readonly string[]): BlockArguments => {
  const { values, positionals } = read(args, infoOptions, true);
  const block = parseOne('check-block', 'BLOCK', positionals);
  if (block === null) throw bad('check-block takes one BLOCK: a hash or a number');
  return { ...toKeptPlace('check-block', values), block: parseBlock(block) };
};

export const parseInfoArguments = (args: readonly string[]): PlaceArguments =>
  toKeptPlace('chain-info', read(args, infoOptions, false).values);

/** As in the SDK. */
const defaultRevert = '256';

export const parseRevertArguments = (args: readonly string[]): RevertArguments => {
  const { values, positionals } = read(args, revertOptions, true);
  const text = parseOne('revert', 'NUM', positionals) ?? defaultRevert;
  if (!/^\d{1,10}$/.test(text)) throw bad(`revert ${text}: expected a number of blocks`);
  return { ...toKeptPlace('revert', values), count: Number(text), yes: values.yes === true };
};

export const parsePurgeArguments = (args: readonly string[]): PurgeArguments => {
  const { values } = read(args, revertOptions, false);
  return { ...toKeptPlace('purge-chain', values), yes: values.yes === true };
};
