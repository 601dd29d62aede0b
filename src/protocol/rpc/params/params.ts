import { digitsToBytes } from '../../hex.ts';
import type { SealMode } from '../../node.ts';
import { isInteger64, refuse, wrongType, wrongTypeText } from '../decoder-text.ts';
import type { Param, ParamKind } from '../define.ts';

/** Bytes in their wire form: hex with or without `0x`, or a list of byte numbers. */
export type BytesInput = string | readonly number[] | Uint8Array;
/** A block height: a number, or a hex string. */
export type Height = { readonly form: 'Number' | 'Hex'; readonly value: bigint };
type HeightInput = number | bigint | string;

/** A parameter defined by its parser; an error of the parser becomes the text of -32602. */
export const param = <Out, In>(kind: ParamKind, read: (value: unknown) => Out): Param<Out, In> => ({
  kind,
  isOptional: false,
  read,
});

/** The parameter may be missing or null; both mean "none". */
export const optional = <Out, In>(
  inner: Param<Out, In>,
): Param<Out | null | undefined, In | null | undefined> => ({
  kind: inner.kind,
  isOptional: true,
  read: (value) => (value == null ? null : inner.read(value)),
  ...(inner.isSecret && { isSecret: true }),
  ...(inner.refusedBySdk === undefined ? {} : { refusedBySdk: inner.refusedBySdk }),
});

/** The parameter is a secret: a secret URI, a phrase, a seed. */
export const secret = <Out, In>(inner: Param<Out, In>): Param<Out, In> => ({ ...inner, isSecret: true });

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array => encoder.encode(text);

const hexText = 'a (both 0x-prefixed or not) hex string or byte array';
const hexStart = (text: string): number => (text.startsWith('0x') ? 2 : 0);

const noDigit = /[^0-9a-fA-F]/;
/**
 * The native decoder works on bytes and reports the first one that is not a digit as the character with that
 * code.
 */
const refuseDigits = (text: string, start: number): never => {
  const signs = [...utf8(text)].map((byte) => String.fromCharCode(byte));
  const wrong = signs.findIndex((sign, index) => index >= start && noDigit.test(sign));
  return refuse(`invalid hex character: ${signs[wrong]}, at ${wrong}`);
};

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

export const parseBytes = (value: unknown): Uint8Array => {
  if (Array.isArray(value) && value.every(isByte)) return Uint8Array.from(value);
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return wrongType(value, hexText);
  const start = hexStart(value);
  return digitsToBytes(value, start) ?? refuseDigits(value, start);
};

/**
 * Under polkadot-sdk bytes must be a string: the native node rejects a list of numbers (fixtures:
 * static.jsonl).
 */
const refuseByteList = (value: unknown): string | null =>
  Array.isArray(value) ? wrongTypeText(value, hexText) : null;

/** Bytes. */
export const bytes = (): Param<Uint8Array, BytesInput> =>
  Object.assign(
    param<Uint8Array, BytesInput>('bytes', (value) => parseBytes(value)),
    { refusedBySdk: refuseByteList },
  );

/** A list of byte strings. */
export const bytesList = (): Param<Uint8Array[], readonly BytesInput[]> =>
  Object.assign(
    param<Uint8Array[], readonly BytesInput[]>('bytesList', (value) =>
      Array.isArray(value) ? value.map(parseBytes) : wrongType(value, 'a sequence'),
    ),
    {
      refusedBySdk: (value: unknown) => refuseByteList(Array.isArray(value) && value.find(Array.isArray)),
    },
  );

const hashDigits = 64;

export const parseHash = (value: unknown): string => {
  const expected = `${hexText} containing 32 bytes`;
  if (typeof value !== 'string') return wrongType(value, expected);
  const start = hexStart(value);
  const length = utf8(value).length - start;
  if (length !== hashDigits) return refuse(`invalid length ${length}, expected ${expected}`);
  return noDigit.test(value.slice(start))
    ? refuseDigits(value, start)
    : `0x${value.slice(start).toLowerCase()}`;
};

/** A 32-byte hash, as lower-case `0x` hex. */
export const hash = (): Param<string, string> => param('hash', parseHash);

export const boolean = (): Param<boolean, boolean> =>
  param('boolean', (value) => (typeof value === 'boolean' ? value : wrongType(value, 'a boolean')));

export const parseUnsigned = (value: unknown, type: string, max: bigint): bigint => {
  if (!isInteger64(value)) return wrongType(value, type);
  if (value >= 0 && value <= max) return BigInt(value);
  return refuse(`invalid value: integer \`${value}\`, expected ${type}`);
};

export const parseU32 = (value: unknown): number => Number(parseUnsigned(value, 'u32', 0xffff_ffffn));

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

/** The first argument of `grandpa_proveFinality`: a height, or the first block of a range. */
export type HeightOrHash =
  | { readonly kind: 'height'; readonly number: number }
  | { readonly kind: 'hash'; readonly hash: string };

const isHash = (value: unknown): boolean =>
  typeof value === 'string' && value.length - hexStart(value) === hashDigits;

/** A number, or hex with fewer digits than a hash, is a height. */
export const heightOrHash = (): Param<HeightOrHash, HeightInput> =>
  Object.assign(
    param<HeightOrHash, HeightInput>('height', (value) => {
      if (isHash(value)) return { kind: 'hash', hash: parseHash(value) };
      const isHex = typeof value === 'string' && /^0x[0-9a-fA-F]{1,8}$/.test(value);
      return { kind: 'height', number: isHex ? Number(value) : parseU32(value) };
    }),
    {
      refusedBySdk: (value: unknown) =>
        typeof value === 'string' && !isHash(value) ? wrongTypeText(value, 'u32') : null,
    },
  );

/** A set id, or a height for which the native node accepts u64. */
export const u64 = (): Param<bigint, number | bigint> =>
  param('u32', (value) => parseUnsigned(value, 'u64', 0xffff_ffff_ffff_ffffn));

const sealModes: readonly string[] = ['manual', 'instant', 'slots'];

/** A seal mode as an object, or as its bare name if it needs no number. */
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

/** The full key of the child trie whose name is the single byte 1, for examples. */
export const exampleChildKey = `${textHex(':child_storage:default:')}01`;
