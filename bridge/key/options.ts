import type { ParseArgsOptionsConfig } from 'node:util';
import type { Scheme } from '../../worker/crypto/keys.ts';
import { bad, placeOptions } from '../arguments.ts';

const schemeOptions = { scheme: { type: 'string' } } as const satisfies ParseArgsOptionsConfig;

const passwordOptions = {
  password: { type: 'string' },
  'password-interactive': { type: 'boolean' },
  'password-filename': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

const outputOptions = {
  network: { type: 'string', short: 'n' },
  'output-type': { type: 'string' },
  json: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

const messageOptions = {
  message: { type: 'string' },
  file: { type: 'string' },
  hex: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** The options of each command; flags that the SDK has too are called as there. */
export const keyOptions = {
  generate: {
    words: { type: 'string', short: 'w' },
    ...schemeOptions,
    ...passwordOptions,
    ...outputOptions,
  },
  'generate-node-key': {
    file: { type: 'string' },
    bin: { type: 'boolean' },
    chain: { type: 'string' },
    preset: { type: 'string' },
    'base-path': { type: 'string', short: 'd' },
    'default-base-path': { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    json: { type: 'boolean' },
  },
  inspect: {
    public: { type: 'boolean' },
    'expect-public': { type: 'string' },
    ...schemeOptions,
    ...passwordOptions,
    ...outputOptions,
  },
  insert: {
    ...placeOptions,
    suri: { type: 'string' },
    'key-type': { type: 'string' },
    ...schemeOptions,
    ...passwordOptions,
  },
  sign: {
    suri: { type: 'string' },
    ...messageOptions,
    ...schemeOptions,
    ...passwordOptions,
    json: { type: 'boolean' },
  },
  verify: { ...messageOptions, ...schemeOptions, json: { type: 'boolean' } },
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
