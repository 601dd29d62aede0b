import * as z from 'zod/mini';
import { digitsToBytes } from '../hex.ts';
import type { SealMode } from '../node.ts';
import type { Param, ParamKind } from './define.ts';

/** Bytes as the wire has them: hex with or without `0x`, or a list of byte numbers. */
export type BytesInput = string | readonly number[] | Uint8Array;
/** A block height: a number, or hex as text. */
export type Height = { readonly form: 'Number' | 'Hex'; readonly value: bigint };
type HeightInput = number | bigint | string;

/** Carries the text of a refusal out of a parser; never leaves this file. */
class Refused extends Error {}
/** Refuses a value, from within a parser that `param` was given. */
export const refuse = (message: string): never => {
  throw new Refused(message);
};

/** A parameter from its parser; what the parser refuses is the text of -32602. */
export const param = <Out, In>(kind: ParamKind, parse: (value: unknown) => Out): Param<Out, In> => {
  const schema = z.pipe(
    z.custom<In>(),
    z.transform((value: In, context): Out => {
      try {
        return parse(value);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        context.issues.push({ code: 'custom', message: error.message, input: value });
        return z.NEVER;
      }
    }),
  );
  return Object.assign(schema as z.ZodMiniType<Out, In>, { kind, isOptional: false });
};

/** The parameter may be missing or null; both read as "none" (RPC.md §0.3). */
export const optional = <Out, In>(
  inner: Param<Out, In>,
): Param<Out | null | undefined, In | null | undefined> =>
  Object.assign(z.nullish(inner) as z.ZodMiniType<Out | null | undefined, In | null | undefined>, {
    kind: inner.kind,
    isOptional: true,
    ...(inner.refusedBySdk === undefined ? {} : { refusedBySdk: inner.refusedBySdk }),
  });

const named = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'bigint' || Number.isInteger(value)) return `integer \`${value}\``;
  if (typeof value === 'number') return `floating point \`${value}\``;
  return Array.isArray(value) ? 'sequence' : 'map';
};

/** Where the SDK's decoder stands after a value: the end of a scalar's text; it does not enter a sequence or map. */
export const at = (value: unknown, before = 0): string => {
  const isNested = typeof value === 'object' && value !== null;
  const length = isNested
    ? 0
    : typeof value === 'bigint'
      ? `${value}`.length
      : JSON.stringify(value ?? null).length;
  return `at line 1 column ${before + length}`;
};

export const wrongType = (value: unknown, expected: string, before = 0): never =>
  refuse(`invalid type: ${named(value)}, expected ${expected} ${at(value, before)}`);

const hexText = 'a (both 0x-prefixed or not) hex string or byte array';
const hexStart = (text: string): number => (text.startsWith('0x') ? 2 : 0);

const noDigit = /[^0-9a-fA-F]/;
const refuseDigits = (text: string, start: number, before: number): never => {
  const wrong = start + text.slice(start).search(noDigit);
  return refuse(`invalid hex character: ${text[wrong]}, at ${wrong} ${at(text, before)}`);
};

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

export const parseBytes = (value: unknown, before = 0): Uint8Array => {
  if (Array.isArray(value) && value.every(isByte)) return Uint8Array.from(value);
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return wrongType(value, hexText, before);
  const start = hexStart(value);
  return digitsToBytes(value, start) ?? refuseDigits(value, start, before);
};

/** Bytes (RPC.md §0.1). The native node takes no list of numbers (fixtures: static.jsonl). */
export const bytes = (): Param<Uint8Array, BytesInput> =>
  Object.assign(
    param<Uint8Array, BytesInput>('bytes', (value) => parseBytes(value)),
    {
      refusedBySdk: (value: unknown) =>
        Array.isArray(value) ? `invalid type: sequence, expected ${hexText} at line 1 column 0` : null,
    },
  );

/** A list of byte strings. */
export const bytesList = (): Param<Uint8Array[], readonly BytesInput[]> =>
  param('bytesList', (value) => {
    if (!Array.isArray(value)) return wrongType(value, 'a sequence');
    let before = 1;
    return value.map((item: unknown) => {
      const parsed = parseBytes(item, before);
      before += (JSON.stringify(item)?.length ?? 0) + 1;
      return parsed;
    });
  });

const hashDigits = 64;

export const parseHash = (value: unknown): string => {
  const expected = `${hexText} containing 32 bytes`;
  if (typeof value !== 'string') return wrongType(value, expected);
  const start = hexStart(value);
  const length = value.length - start;
  if (length !== hashDigits) return refuse(`invalid length ${length}, expected ${expected} ${at(value)}`);
  const digits = value.slice(start);
  return noDigit.test(digits) ? refuseDigits(value, start, 0) : `0x${digits.toLowerCase()}`;
};

/** A 32-byte hash, as lower-case `0x` hex. */
export const hash = (): Param<string, string> => param('hash', parseHash);

export const boolean = (): Param<boolean, boolean> =>
  param('boolean', (value) => (typeof value === 'boolean' ? value : wrongType(value, 'a boolean')));

export const parseU32 = (value: unknown): number => {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  if (!isInteger) return wrongType(value, 'u32');
  if (typeof value === 'number' && value >= 0 && value <= 0xffff_ffff) return value;
  return refuse(`invalid value: integer \`${value}\`, expected u32 ${at(value)}`);
};

export const u32 = (): Param<number, number> => param('u32', parseU32);

export const text = (kind: ParamKind = 'text'): Param<string, string> =>
  param(kind, (value) => (typeof value === 'string' ? value : wrongType(value, 'a string')));

const noHeight = 'data did not match any variant of untagged enum ListOrValue';

const parseHeight = (value: unknown): Height => {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const fits =
      (typeof value === 'bigint' || Number.isInteger(value)) && value >= 0 && value <= 0xffff_ffff_ffff_ffffn;
    return fits ? { form: 'Number', value: BigInt(value) } : refuse(noHeight);
  }
  if (typeof value !== 'string') return refuse(noHeight);
  const digits = value.slice(hexStart(value));
  return /^[0-9a-fA-F]{1,64}$/.test(digits)
    ? { form: 'Hex', value: BigInt(`0x${digits}`) }
    : refuse(noHeight);
};

/** A height, or a list of them (the SDK's `ListOrValue<NumberOrHex>`). */
export const heights = (): Param<Height | Height[], HeightInput | readonly HeightInput[]> =>
  param('height', (value) => (Array.isArray(value) ? value.map(parseHeight) : parseHeight(value)));

/** What `grandpa_proveFinality` begins with: a height, or the first block of a range. */
export type HeightOrHash =
  | { readonly kind: 'height'; readonly number: number }
  | { readonly kind: 'hash'; readonly hash: string };

const isHash = (value: unknown): boolean =>
  typeof value === 'string' && value.length - hexStart(value) === hashDigits;

/** A number or hex of fewer digits than a hash has is a height. */
export const heightOrHash = (): Param<HeightOrHash, HeightInput> =>
  Object.assign(
    param<HeightOrHash, HeightInput>('height', (value) => {
      if (isHash(value)) return { kind: 'hash', hash: parseHash(value) };
      const isHex = typeof value === 'string' && /^0x[0-9a-fA-F]{1,8}$/.test(value);
      return { kind: 'height', number: isHex ? Number(value) : parseU32(value) };
    }),
    {
      refusedBySdk: (value: unknown) =>
        typeof value === 'string' && !isHash(value)
          ? `invalid type: ${named(value)}, expected u32 ${at(value)}`
          : null,
    },
  );

/** A set id, or a height where the native node takes more than a u32. */
export const u64 = (): Param<bigint, number | bigint> =>
  param('u32', (value) => {
    if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) {
      if (value >= 0 && value <= 0xffff_ffff_ffff_ffffn) return BigInt(value);
      return refuse(`invalid value: integer \`${value}\`, expected u64 ${at(value)}`);
    }
    return wrongType(value, 'u64');
  });

/** What `author_removeExtrinsic` takes out: by hash, or as whole bytes. */
export type ExtrinsicOrHash =
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'extrinsic'; readonly bytes: Uint8Array };
type ExtrinsicOrHashInput = string | { readonly hash: string } | { readonly extrinsic: BytesInput };

const oneOfTwo = 'expected `hash` or `extrinsic`';

/** A bare text of 32 bytes is a hash, any other an extrinsic. */
const readNamedOrBare = (value: unknown, before: number): ExtrinsicOrHash => {
  if (typeof value === 'string') {
    const digits = value.slice(hexStart(value));
    if (digits === '' || /[^0-9a-fA-F]/.test(digits))
      return refuse(`unknown variant \`${value}\`, ${oneOfTwo} ${at(value, before)}`);
    return digits.length === hashDigits
      ? { kind: 'hash', hash: `0x${digits.toLowerCase()}` }
      : { kind: 'extrinsic', bytes: parseBytes(value, before) };
  }
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [name, inner] = entries[0] ?? ['', null];
  if (entries.length !== 1 || Array.isArray(value)) return wrongType(value, 'string or map', before);
  if (name === 'extrinsic') return { kind: 'extrinsic', bytes: parseBytes(inner, before) };
  if (name === 'hash') return { kind: 'hash', hash: parseHash(inner) };
  return refuse(`unknown variant \`${name}\`, ${oneOfTwo} ${at(name, before + 1)}`);
};

/** One of them, or a list; all the forms of RPC.md §1.5. */
export const extrinsicsOrHashes = (): Param<
  ExtrinsicOrHash[],
  ExtrinsicOrHashInput | readonly ExtrinsicOrHashInput[]
> =>
  param('extrinsicsOrHashes', (value) => {
    if (Array.isArray(value)) return value.map((item: unknown) => readNamedOrBare(item, 1));
    if (typeof value === 'string' && !/^(0x)?[0-9a-fA-F]+$/.test(value))
      return wrongType(value, 'a sequence');
    return typeof value === 'string' || (typeof value === 'object' && value !== null)
      ? [readNamedOrBare(value, 0)]
      : wrongType(value, 'a sequence');
  });

export type Justification = { readonly engine: Uint8Array; readonly data: Uint8Array };

/** An engine id of four bytes and its payload, each as numbers or hex. */
export const justification = (): Param<Justification, readonly [BytesInput, BytesInput]> =>
  param('justification', (value) => {
    if (!Array.isArray(value)) return wrongType(value, 'a tuple of size 2');
    if (value.length !== 2) return refuse(`invalid length ${value.length}, expected a tuple of size 2`);
    const engine = parseBytes(value[0]);
    if (engine.length !== 4) return refuse(`invalid length ${engine.length}, expected an array of length 4`);
    return { engine, data: parseBytes(value[1]) };
  });

const sealModes: readonly string[] = ['manual', 'instant', 'slots'];

/** A seal mode as its object, or as its bare name where it needs no number. */
export const sealMode = (): Param<SealMode, SealMode | 'manual' | 'instant' | 'slots'> =>
  param('sealMode', (value) => {
    const isObject = typeof value === 'object' && value !== null;
    const mode: Record<string, unknown> = isObject ? (value as Record<string, unknown>) : { kind: value };
    const kind = mode['kind'];
    if (typeof kind === 'string' && sealModes.includes(kind)) return { kind } as SealMode;
    if (kind !== 'interval')
      return refuse('unknown seal mode, expected one of `manual`, `instant`, `interval`, `slots`');
    const ms = mode['ms'];
    if (typeof ms === 'number' && Number.isInteger(ms) && ms >= 1 && ms <= 0x7fff_ffff)
      return { kind: 'interval', ms };
    return refuse('seal mode `interval` needs `ms`, a whole number of milliseconds');
  });

const textHex = (text: string): string =>
  `0x${[...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('')}`;

/** The full key of the child trie named by the one byte 1, for examples. */
export const exampleChildKey = `${textHex(':child_storage:default:')}01`;
