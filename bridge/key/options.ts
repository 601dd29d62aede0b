import registry from '@substrate/ss58-registry';
import type { Scheme } from '../../worker/crypto/keys.ts';
import { bad, placeOptions } from '../cli/arguments.ts';
import { type OptionTable, switches, texts } from '../cli/command.ts';

const schemeOptions = texts('any', 'scheme');

const passwordOptions = {
  ...texts('any', 'password', 'password-filename'),
  ...switches('any', 'password-interactive'),
} as const;

const outputOptions = {
  network: { by: 'any', type: 'string', short: 'n' },
  ...texts('any', 'output-type'),
  ...switches('any', 'json'),
} as const satisfies OptionTable;

const messageOptions = { ...texts('any', 'message', 'file'), ...switches('any', 'hex') } as const;

/** The options of each command; flags that the SDK has too are called as there. */
export const keyOptions = {
  export: {
    ...texts('any', 'suri', 'name', 'file'),
    ...schemeOptions,
    ...passwordOptions,
    ...switches('any', 'json'),
    yes: { by: 'any', type: 'boolean', short: 'y' },
  },
  generate: {
    ...texts('any', 'language'),
    words: { by: 'any', type: 'string', short: 'w' },
    ...schemeOptions,
    ...passwordOptions,
    ...outputOptions,
  },
  'generate-node-key': {
    ...texts('any', 'file', 'chain', 'preset'),
    'base-path': { by: 'any', type: 'string', short: 'd' },
    ...switches('any', 'bin', 'default-base-path', 'json'),
    yes: { by: 'any', type: 'boolean', short: 'y' },
  },
  'inspect-node-key': { ...texts('any', 'file'), ...switches('any', 'bin', 'json') },
  inspect: {
    ...switches('any', 'public'),
    ...texts('any', 'expect-public'),
    ...schemeOptions,
    ...passwordOptions,
    ...outputOptions,
  },
  insert: {
    ...placeOptions,
    ...texts('any', 'suri', 'file', 'key-type'),
    ...schemeOptions,
    ...passwordOptions,
  },
  sign: {
    ...texts('any', 'suri'),
    ...messageOptions,
    ...schemeOptions,
    ...passwordOptions,
    ...switches('any', 'json'),
  },
  verify: { ...messageOptions, ...schemeOptions, ...switches('any', 'json') },
} as const satisfies Record<string, OptionTable>;

export const schemes: readonly Scheme[] = ['sr25519', 'ed25519', 'ecdsa'];

/** sr25519 by default, as in the SDK. */
export const parseScheme = (text = 'sr25519'): Scheme => {
  const found = schemes.find((scheme) => scheme === text.toLowerCase());
  if (found !== undefined) return found;
  throw bad(`--scheme: expected one of ${schemes.join(', ')}`);
};

/** `json` is the SDK's form, which is indented; `line` is that of `--json`. */
export type KeyFormat = 'text' | 'json' | 'line';

export const parseFormat = (values: {
  readonly 'output-type'?: string | undefined;
  readonly json?: boolean | undefined;
}): KeyFormat => {
  const type = values['output-type']?.toLowerCase() ?? 'text';
  if (type !== 'text' && type !== 'json') throw bad('--output-type: expected text or json');
  return values.json === true ? 'line' : type;
};

/** The prefix of addresses that belong to no particular network. */
export const defaultPrefix = 42;

/** A network of the SS58 registry by its name, or a prefix of 0 to 16383. Throws `BadConfig`. */
export const parseNetwork = (text: string): number => {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 16_383) return number;
  const found = registry.find(({ network }) => network?.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found.prefix;
  throw bad(`--network ${text}: neither a network of the SS58 registry, such as polkadot, nor its prefix`);
};

/** The registry's name of a prefix, or the prefix itself. */
export const networkName = (prefix: number): string =>
  registry.find((one) => one.prefix === prefix)?.network ?? String(prefix);
