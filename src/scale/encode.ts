import { compactBn, str, u8 } from '@polkadot-api/substrate-bindings';
import { readAccount } from './address.ts';
import { bitPlace, byteCountOf, pathText } from './entries.ts';
import { fromHex, joinBytes, readHex } from './hex.ts';
import type { EntryOf, Json, LookupEntry, RuntimeMeta, StructEntry } from './types.ts';

/** Why a value cannot be encoded; `path` locates the field, as in `dest.Id`. */
export class EncodeFault extends Error {
  override readonly name = 'EncodeFault';
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(
      path === '' ? message.replace(/^./, (first) => first.toUpperCase()) : `${path}: ${message}`,
      options,
    );
    this.path = path;
  }
}

const below = (path: string, label: string | number): string => pathText([label], path);

export const isObject = <T>(value: T): value is T & { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: Json | undefined): string =>
  value === undefined
    ? 'nothing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : `a ${typeof value}`.replace('bigint', 'number').replace('a object', 'an object');

/** Separators only stand between groups of three: in many languages `1,5` is a fraction, and `1 5` is a slip. */
const grouped = /^-?\d{1,3}([,_\s]\d{3})+$/;

/** The longest number that is written out: no integer of a runtime has more digits. */
const mostWritten = 100;

/** Writes out a number with an exponent: `1.5e3` is `1500`, and `1e-3` is `0.001`. Other texts are unchanged. */
export const writeOut = (text: string): string => {
  const [, sign = '', integer = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?e([+-]?\d{1,3})$/i.exec(text) ?? [];
  const places = Number(power);
  if (integer === '' || Math.abs(places) > mostWritten) return text;
  const digits = `${integer}${fraction}`;
  const point = integer.length + places;
  const whole =
    digits
      .slice(0, Math.max(0, point))
      .padEnd(point, '0')
      .replace(/^0+(?=\d)/, '') || '0';
  const rest = (point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)).replace(/0+$/, '');
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
};

/** Parses whole numbers, decimal strings (separators and exponents allowed) and 0x strings; null for anything else. */
export const tryInteger = (value: Json | undefined): bigint | null => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  const given = typeof value === 'string' ? value.trim() : '';
  const text = grouped.test(given) ? given.replace(/[,_\s]/g, '') : writeOut(given);
  return /^-?\d+$|^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : null;
};

/** Like `tryInteger`, for an amount: a u128 in every runtime. */
export const tryAmount = (value: Json | undefined): bigint | null => {
  const read = tryInteger(value);
  return read !== null && read >= 0n && read < 1n << 128n ? read : null;
};

/** Like `tryInteger`, but throws EncodeFault. */
export const readInteger = (value: Json | undefined, path: string): bigint => {
  const read = tryInteger(value);
  const wanted = Number.isInteger(value) ? ' with all its digits' : '';
  if (read === null) throw new EncodeFault(path, `enter a whole number${wanted}`);
  return read;
};

const encodeInteger = (value: bigint, bits: number, isSigned: boolean, path: string): Uint8Array => {
  const least = isSigned ? -(1n << BigInt(bits - 1)) : 0n;
  const greatest = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n;
  if (value < least || value > greatest)
    throw new EncodeFault(path, `enter a number between ${least} and ${greatest}`);
  const bytes = new Uint8Array(bits / 8);
  let rest = BigInt.asUintN(bits, value);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
};

const encodePrimitive = (primitive: string, value: Json | undefined, path: string): Uint8Array => {
  if (primitive === 'bool') {
    if (typeof value !== 'boolean') throw new EncodeFault(path, 'expected true or false');
    return u8.enc(value ? 1 : 0);
  }
  if (primitive === 'str' || primitive === 'char') {
    if (typeof value !== 'string') throw new EncodeFault(path, `expected text, not ${kindOf(value)}`);
    if (primitive === 'str') return str.enc(value);
    return encodeInteger(BigInt(value.codePointAt(0) ?? 0), 32, false, path);
  }
  const bits = Number(primitive.slice(1));
  return encodeInteger(readInteger(value, path), bits, primitive.startsWith('i'), path);
};

const encodeCompact = (value: bigint): Uint8Array => compactBn.enc(value);
const encodeLength = (count: number): Uint8Array => encodeCompact(BigInt(count));

const readBytes = (value: Json | undefined, path: string): Uint8Array => {
  const bytes = typeof value === 'string' ? readHex(value) : null;
  if (bytes === null || !/^\s*0x/i.test(String(value)))
    throw new EncodeFault(path, 'enter bytes as 0x followed by pairs of hexadecimal digits');
  return bytes;
};

const encodeAccount = (value: Json | undefined, path: string): Uint8Array => {
  const id = typeof value === 'string' ? readAccount(value) : null;
  if (id === null) throw new EncodeFault(path, 'enter an SS58 address or a 0x public key');
  return fromHex(id);
};

const encodeBits = (
  { isLSB, storeBits }: EntryOf<'bitSequence'>,
  value: Json | undefined,
  path: string,
): Uint8Array => {
  const text = typeof value === 'string' ? value.replace(/^0b/, '') : 'x';
  if (/[^01]/.test(text)) throw new EncodeFault(path, 'enter bits as 0b followed by 0s and 1s');
  const bytes = new Uint8Array(Math.ceil(text.length / storeBits) * (storeBits / 8));
  for (let index = 0; index < text.length; index += 1) {
    const [at, bit] = bitPlace(index, isLSB, storeBits);
    if (text[index] === '1') bytes[at] = (bytes[at] ?? 0) | bit;
  }
  return joinBytes(encodeLength(text.length), bytes);
};

const listOf = (value: Json | undefined, count: number | null, path: string): readonly Json[] => {
  if (!Array.isArray(value)) throw new EncodeFault(path, `expected a list, not ${kindOf(value)}`);
  if (count !== null && value.length !== count)
    throw new EncodeFault(path, `expected ${count} items, not ${value.length}`);
  return value as readonly Json[];
};

const encodeStruct = (fields: StructEntry['value'], value: Json | undefined, path: string): Uint8Array => {
  if (value === undefined || !isObject(value))
    throw new EncodeFault(path, `expected fields: ${Object.keys(fields).join(', ')}`);
  const unknownName = Object.keys(value).find((label) => !(label in fields));
  if (unknownName !== undefined) throw new EncodeFault(below(path, unknownName), 'there is no such field');
  return joinBytes(
    ...Object.entries(fields).map(([label, entry]) => encode(entry, value[label], below(path, label))),
  );
};

const encodeItems = (entries: readonly LookupEntry[], value: Json | undefined, path: string): Uint8Array => {
  const items = listOf(value, entries.length, path);
  return joinBytes(...entries.map((entry, index) => encode(entry, items[index], below(path, index))));
};

/** `count` is null for any number. */
const encodeBytes = (count: number | null, value: Json | undefined, path: string): Uint8Array => {
  const bytes = readBytes(value, path);
  if (count === null) return joinBytes(encodeLength(bytes.length), bytes);
  if (bytes.length !== count) throw new EncodeFault(path, `expected ${count} bytes, not ${bytes.length}`);
  return bytes;
};

/** The variant's name and content, from `"Name"` or `{Name: content}`. */
const readVariant = (value: Json | undefined, path: string): readonly [string, Json | undefined] => {
  if (typeof value === 'string') return [value, undefined];
  const pairs = value !== undefined && isObject(value) ? Object.entries(value) : [];
  if (pairs.length !== 1) throw new EncodeFault(path, 'expected one variant: "Name" or {"Name": …}');
  return pairs[0] as [string, Json];
};

const encodeVariant = (entry: EntryOf<'enum'>, value: Json | undefined, path: string): Uint8Array => {
  const [name, content] = readVariant(value, path);
  const variant = entry.value[name];
  if (variant === undefined) throw new EncodeFault(path, `there is no variant "${name}"`);
  const { inner } = variant;
  const body = inner === null ? new Uint8Array() : encode(inner, content, below(path, name));
  const bytes = joinBytes(u8.enc(variant.idx), body);
  return entry.byteLength === undefined
    ? bytes
    : joinBytes(bytes, new Uint8Array(Math.max(0, entry.byteLength - bytes.length)));
};

const encodeOption = (inner: LookupEntry, value: Json | undefined, path: string): Uint8Array => {
  if (value === null || value === undefined) return u8.enc(0);
  const isWrapped = (inner.type === 'option' || inner.type === 'void') && isObject(value) && 'Some' in value;
  return joinBytes(u8.enc(1), encode(inner, isWrapped ? value['Some'] : value, path));
};

const encodeResult = (entry: EntryOf<'result'>, value: Json | undefined, path: string): Uint8Array => {
  const [name, content] = readVariant(value, path);
  if (name !== 'Ok' && name !== 'Err') throw new EncodeFault(path, 'expected Ok or Err');
  const inner = name === 'Ok' ? entry.value.ok : entry.value.ko;
  return joinBytes(u8.enc(name === 'Ok' ? 0 : 1), encode(inner, content, below(path, name)));
};

const encode = (entry: LookupEntry, value: Json | undefined, path: string): Uint8Array => {
  const count = byteCountOf(entry);
  if (count !== undefined) return encodeBytes(count, value, path);
  switch (entry.type) {
    case 'primitive':
      return encodePrimitive(entry.value, value, path);
    case 'void':
    case 'AccountId20': // has a number of bytes
      return new Uint8Array();
    case 'compact': {
      const number = readInteger(value, path);
      encodeInteger(number, Number(entry.size.slice(1)), false, path);
      return encodeCompact(number);
    }
    case 'bitSequence':
      return encodeBits(entry, value, path);
    case 'AccountId32':
      return encodeAccount(value, path);
    case 'sequence': {
      const items = listOf(value, null, path);
      return joinBytes(
        encodeLength(items.length),
        ...items.map((item, index) => encode(entry.value, item, below(path, index))),
      );
    }
    case 'array':
      return encodeItems(new Array<LookupEntry>(entry.len).fill(entry.value), value, path);
    case 'tuple':
      return encodeItems(entry.value, value, path);
    case 'struct':
      return encodeStruct(entry.value, value, path);
    case 'option':
      return encodeOption(entry.value, value, path);
    case 'result':
      return encodeResult(entry, value, path);
    case 'enum':
      return encodeVariant(entry, value, path);
  }
};

/** Encodes JSON (see `Json`) as a value of the type; throws EncodeFault, whose path begins with `path`. */
export const encodeJson = (meta: RuntimeMeta, type: number, value: Json, path = ''): Uint8Array => {
  try {
    return encode(meta.lookup(type), value, path);
  } catch (fault) {
    // The stack is full: types may contain themselves.
    if (fault instanceof RangeError)
      throw new EncodeFault(path, 'the value is nested too deep', { cause: fault });
    throw fault;
  }
};
