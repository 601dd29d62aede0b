import type { ParseArgsOptionsConfig } from 'node:util';
import type { Scheme } from '../../worker/crypto/keys.ts';
import { bad, placeOptions } from '../arguments.ts';
import { switches, texts } from '../options.ts';

const schemeOptions = texts('scheme');

const passwordOptions = {
  ...texts('password', 'password-filename'),
  ...switches('password-interactive'),
} as const;

const outputOptions = {
  network: { type: 'string', short: 'n' },
  ...texts('output-type'),
  ...switches('json'),
} as const satisfies ParseArgsOptionsConfig;

const messageOptions = { ...texts('message', 'file'), ...switches('hex') } as const;

/** The options of each command; flags that the SDK has too are called as there. */
export const keyOptions = {
  generate: {
    words: { type: 'string', short: 'w' },
    ...schemeOptions,
    ...passwordOptions,
    ...outputOptions,
  },
  'generate-node-key': {
    ...texts('file', 'chain', 'preset'),
    'base-path': { type: 'string', short: 'd' },
    ...switches('bin', 'default-base-path', 'json'),
    yes: { type: 'boolean', short: 'y' },
  },
  'inspect-node-key': { ...texts('file'), ...switches('bin', 'json') },
  inspect: {
    ...switches('public'),
    ...texts('expect-public'),
    ...schemeOptions,
    ...passwordOptions,
    ...outputOptions,
  },
  insert: {
    ...placeOptions,
    ...texts('suri', 'key-type'),
    ...schemeOptions,
    ...passwordOptions,
  },
  sign: {
    ...texts('suri'),
    ...messageOptions,
    ...schemeOptions,
    ...passwordOptions,
    ...switches('json'),
  },
  verify: { ...messageOptions, ...schemeOptions, ...switches('json') },
} as const satisfies Record<string, ParseArgsOptionsConfig>;

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
