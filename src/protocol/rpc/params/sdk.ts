import {
  enumText,
  noValue,
  Refused,
  refuse,
  unknownVariant,
  wrongType,
  wrongTypeText,
} from '../decoder-text.ts';
import type { Param } from '../define.ts';
import { type BytesInput, param, parseBytes, parseHash, parseUnsigned } from './params.ts';

// Parameters that the native node decodes into its own structures, with its decoder's error texts.

type Json = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What `author_removeExtrinsic` removes: extrinsics by hash, or by their full bytes. */
export type ExtrinsicOrHash =
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'extrinsic'; readonly bytes: Uint8Array };
type ExtrinsicOrHashInput = string | { readonly hash: string } | { readonly extrinsic: BytesInput };

const hexForm = /^(0x)?[0-9a-fA-F]+$/;

const oneOfTwo = ['hash', 'extrinsic'];

/** A bare string of 32 bytes is a hash, any other an extrinsic. */
const readNamedOrBare = (value: unknown): ExtrinsicOrHash => {
  if (typeof value === 'string') {
    if (!hexForm.test(value)) return unknownVariant(value, oneOfTwo);
    const digits = value.replace(/^0x/, '');
    return digits.length === 64
      ? { kind: 'hash', hash: `0x${digits.toLowerCase()}` }
      : { kind: 'extrinsic', bytes: parseBytes(value) };
  }
  const [first, ...others] = isMap(value) ? Object.entries(value) : [];
  if (first === undefined || others.length > 0) return noValue();
  const [name, inner] = first;
  if (name === 'hash') return { kind: 'hash', hash: parseHash(inner) };
  return name === 'extrinsic'
    ? { kind: 'extrinsic', bytes: parseBytes(inner) }
    : unknownVariant(name, oneOfTwo);
};

const readNamed = (value: unknown): ExtrinsicOrHash =>
  typeof value === 'string' ? unknownVariant(value, oneOfTwo) : readNamedOrBare(value);

/** Under polkadot-sdk only a list of named items, as in the native node (fixtures: static.jsonl). */
const refuseBare = (value: unknown): string | null => {
  try {
    if (Array.isArray(value)) value.map(readNamed);
    else wrongType(value, 'a sequence');
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
};

/** One item or a list of them, in all accepted forms. */
export const extrinsicsOrHashes = (): Param<
  ExtrinsicOrHash[],
  ExtrinsicOrHashInput | readonly ExtrinsicOrHashInput[]
> =>
  Object.assign(
    param<ExtrinsicOrHash[], ExtrinsicOrHashInput | readonly ExtrinsicOrHashInput[]>(
      'extrinsicsOrHashes',
      (value) => {
        if (Array.isArray(value)) return value.map(readNamedOrBare);
        return isMap(value) || (typeof value === 'string' && hexForm.test(value))
          ? [readNamedOrBare(value)]
          : wrongType(value, 'a sequence');
      },
    ),
    { refusedBySdk: refuseBare },
  );

export type Justification = { readonly engine: Uint8Array; readonly data: Uint8Array };

const pair = 'a tuple of size 2';
const parts = ['an array of length 4', 'a sequence'] as const;

const readNumbers = (value: unknown, expected: string): Uint8Array => {
  if (typeof value === 'string') return parseBytes(value);
  return Array.isArray(value)
    ? Uint8Array.from(value.map((item) => Number(parseUnsigned(item, 'u8', 255n))))
    : wrongType(value, expected);
};

const wrongLength = (length: number, size: number, expected: string): never =>
  refuse(length < size ? `invalid length ${length}, expected ${expected}` : 'trailing characters');

/** A four-byte engine id and its payload, each as numbers or hex; under polkadot-sdk only as numbers. */
export const justification = (): Param<Justification, readonly [BytesInput, BytesInput]> =>
  Object.assign(
    param<Justification, readonly [BytesInput, BytesInput]>('justification', (value) => {
      if (!Array.isArray(value)) return wrongType(value, pair);
      const [engine, data] = value.slice(0, 2).map((item, at) => {
        const bytes = readNumbers(item, parts[at === 0 ? 0 : 1]);
        return at === 0 && bytes.length !== 4 ? wrongLength(bytes.length, 4, parts[0]) : bytes;
      });
      if (engine === undefined || data === undefined || value.length > 2)
        return wrongLength(value.length, 2, pair);
      return { engine, data };
    }),
    {
      refusedBySdk: (value: unknown) => {
        const index = Array.isArray(value) ? value.findIndex((item) => typeof item === 'string') : -1;
        return index === 0 || index === 1
          ? wrongTypeText((value as readonly unknown[])[index], parts[index])
          : null;
      },
    },
  );

/** Which offchain store to use. */
export const storageKind = (): Param<'PERSISTENT' | 'LOCAL', 'PERSISTENT' | 'LOCAL'> =>
  param('text', (value) => enumText(value, ['PERSISTENT', 'LOCAL']));
