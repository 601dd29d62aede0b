import { fromBufferToBase58 } from '@polkadot-api/substrate-bindings';
import {
  type Cursor,
  createCursor,
  DecodeFault,
  remaining,
  takeByte,
  takeBytes,
  takeCompact,
  takeEnd,
  takeLength,
  takeUnsigned,
} from './cursor.ts';
import { bitAt, docsText, isByte, pathText } from './entries.ts';
import { toHex } from './hex.ts';
import type {
  Decoded,
  DecodedBody,
  DecodedField,
  EntryOf,
  LookupEntry,
  Meaning,
  RuntimeMeta,
  StructEntry,
} from './types.ts';

/** More items than a person can read; bounds what a malicious length makes the decoder allocate. */
const maxParts = 200_000;
const maxDepth = 100;

type Reading = {
  readonly meta: RuntimeMeta;
  readonly cursor: Cursor;
  readonly maxParts: number;
  parts: number;
  /** Where in the value it reads. */
  readonly path: (string | number)[];
};

const small = (value: bigint): number | bigint =>
  value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;

const readPrimitive = (primitive: string, cursor: Cursor): DecodedBody => {
  if (primitive === 'bool') {
    const byte = takeByte(cursor);
    if (byte > 1) throw new DecodeFault(`${byte} is not a bool`, cursor.at - 1);
    return { kind: 'bool', value: byte === 1 };
  }
  if (primitive === 'str') {
    const bytes = takeBytes(cursor, takeLength(cursor, 1));
    try {
      return { kind: 'text', value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch {
      throw new DecodeFault('the text is not UTF-8', cursor.at - bytes.length);
    }
  }
  if (primitive === 'char') {
    const code = Number(takeUnsigned(cursor, 4));
    if (code > 0x10ffff || code >> 11 === 0x1b)
      throw new DecodeFault(`${code} is not a character`, cursor.at - 4);
    return { kind: 'text', value: String.fromCodePoint(code) };
  }
  const bits = Number(primitive.slice(1));
  const raw = takeUnsigned(cursor, bits / 8);
  return { kind: 'number', value: small(primitive.startsWith('i') ? BigInt.asIntN(bits, raw) : raw) };
};

const readBits = ({ isLSB, storeBits }: EntryOf<'bitSequence'>, cursor: Cursor): DecodedBody => {
  const start = cursor.at;
  const count = Number(takeCompact(cursor));
  if (count > remaining(cursor) * 8)
    throw new DecodeFault(`${count} bits do not fit in the bytes left`, start);
  const bytes = takeBytes(cursor, Math.ceil(count / storeBits) * (storeBits / 8));
  let value = '';
  for (let index = 0; index < count; index += 1) {
    value += bitAt(bytes, index, isLSB, storeBits) ? 1 : 0;
  }
  return { kind: 'bits', value };
};

/** Minimum encoded size of a value in bytes, to bound lengths: 0 only for empty types. */
const leastBytes = (entry: LookupEntry): number => (entry.type === 'void' ? 0 : 1);

/** Reads a part, under its name for the case that it fails. */
const readPart = (
  reading: Reading,
  label: string | number,
  entry: LookupEntry,
  depth: number,
  meaning = entry.meaning,
): Decoded => {
  reading.path.push(label);
  const value = read(reading, entry, depth, meaning);
  reading.path.pop();
  return value;
};

const readItems = (reading: Reading, entry: LookupEntry, count: number, depth: number): Decoded[] => {
  const items: Decoded[] = [];
  for (let index = 0; index < count; index += 1) items.push(readPart(reading, index, entry, depth));
  return items;
};

const readStruct = (
  reading: Reading,
  { value, innerDocs, meanings }: StructEntry,
  depth: number,
): DecodedField[] =>
  Object.entries(value).map(([label, entry]) => ({
    label,
    docs: docsText(innerDocs[label]),
    value: readPart(reading, label, entry, depth, meanings[label]),
  }));

const readVariant = (reading: Reading, entry: EntryOf<'enum'>, depth: number): DecodedBody => {
  const { cursor } = reading;
  const index = takeByte(cursor);
  const found = Object.entries(entry.value).find(([, { idx }]) => idx === index);
  if (found === undefined) {
    const type = reading.meta.typeName(entry.id);
    const isDescribed = Object.values(entry.value).every(({ idx }) => idx < 256);
    throw new DecodeFault(
      isDescribed ? `${type} has no variant ${index}` : `Nothing describes the type ${type}`,
      cursor.at - 1,
    );
  }
  const [name, { inner, docs }] = found;
  const start = cursor.at - 1;
  const value = inner === null ? null : readPart(reading, name, inner, depth);
  // The error variant of a module error always occupies four bytes (sp_runtime::ModuleError).
  if (entry.byteLength !== undefined) takeBytes(cursor, Math.max(0, start + entry.byteLength - cursor.at));
  return { kind: 'variant', name, docs: docsText(docs), value };
};

/** What an option means is meant by the value in it. */
const readOption = (
  reading: Reading,
  inner: LookupEntry,
  depth: number,
  meaning: Meaning | null | undefined,
): DecodedBody => {
  const flag = takeByte(reading.cursor);
  if (flag > 1) throw new DecodeFault(`${flag} is neither none nor some`, reading.cursor.at - 1);
  return flag === 0
    ? { kind: 'none' }
    : { kind: 'some', value: read(reading, inner, depth, meaning ?? inner.meaning) };
};

const readResult = (reading: Reading, entry: EntryOf<'result'>, depth: number): DecodedBody => {
  const flag = takeByte(reading.cursor);
  if (flag > 1) throw new DecodeFault(`${flag} is neither ok nor an error`, reading.cursor.at - 1);
  const inner = flag === 0 ? entry.value.ok : entry.value.ko;
  return {
    kind: 'variant',
    name: flag === 0 ? 'Ok' : 'Err',
    docs: '',
    value: inner.type === 'void' ? null : readPart(reading, flag === 0 ? 'Ok' : 'Err', inner, depth),
  };
};

const readBody = (
  reading: Reading,
  entry: LookupEntry,
  depth: number,
  meaning: Meaning | null | undefined,
): DecodedBody => {
  const { cursor, meta } = reading;
  switch (entry.type) {
    case 'primitive':
      return readPrimitive(entry.value, cursor);
    case 'void':
      return { kind: 'void' };
    case 'compact': {
      const { at } = cursor;
      const value = takeCompact(cursor);
      if (value >> BigInt(entry.size.slice(1)) > 0n)
        throw new DecodeFault(`${value} is not a ${entry.size}`, at);
      return { kind: 'number', value: small(value) };
    }
    case 'bitSequence':
      return readBits(entry, cursor);
    case 'AccountId32': {
      const id = takeBytes(cursor, 32);
      return { kind: 'account', value: fromBufferToBase58(meta.ss58Prefix)(id), id: toHex(id) };
    }
    case 'AccountId20': {
      const id = toHex(takeBytes(cursor, 20));
      return { kind: 'account', value: id, id };
    }
    case 'sequence':
    case 'array': {
      const { value: inner } = entry;
      const count = entry.type === 'array' ? entry.len : takeLength(cursor, leastBytes(inner));
      return isByte(inner)
        ? { kind: 'bytes', value: takeBytes(cursor, count) }
        : { kind: 'list', isTuple: false, items: readItems(reading, inner, count, depth) };
    }
    case 'tuple':
      return {
        kind: 'list',
        isTuple: true,
        items: entry.value.map((inner, index) => readPart(reading, index, inner, depth)),
      };
    case 'struct':
      return { kind: 'struct', fields: readStruct(reading, entry, depth) };
    case 'option':
      return readOption(reading, entry.value, depth, meaning);
    case 'result':
      return readResult(reading, entry, depth);
    case 'enum':
      return readVariant(reading, entry, depth);
  }
};

const read = (
  reading: Reading,
  entry: LookupEntry,
  depth: number,
  meaning: Meaning | null | undefined,
): Decoded => {
  reading.parts += 1;
  if (reading.parts > reading.maxParts)
    throw new DecodeFault(`more than ${reading.maxParts} parts`, reading.cursor.at);
  if (depth > maxDepth) throw new DecodeFault(`nested deeper than ${maxDepth}`, reading.cursor.at);
  const start = reading.cursor.at;
  const body = readBody(reading, entry, depth + 1, meaning);
  const type = entry.id < 0 ? '' : reading.meta.typeName(entry.id);
  return { type, start, end: reading.cursor.at, meaning, ...body };
};

export type DecodeOptions = {
  /** What the value means, where its type does not tell. */
  readonly meaning?: Meaning | null | undefined;
  /** How many values it may consist of; 200,000 unless given. */
  readonly parts?: number;
};

/** Decodes one value of the type at the cursor; throws DecodeFault, with the path to the part that failed. */
export const decodeAt = (
  meta: RuntimeMeta,
  type: number,
  cursor: Cursor,
  { meaning = null, parts = maxParts }: DecodeOptions = {},
): Decoded => {
  const entry = meta.lookup(type);
  const path: (string | number)[] = [];
  try {
    return read({ meta, cursor, maxParts: parts, parts: 0, path }, entry, 0, meaning ?? entry.meaning);
  } catch (fault) {
    if (fault instanceof DecodeFault) fault.path = pathText(path);
    throw fault;
  }
};

/** Decodes bytes that hold exactly one value of the type; throws DecodeFault, also if bytes are left over. */
export const decodeValue = (
  meta: RuntimeMeta,
  type: number,
  bytes: Uint8Array,
  options?: DecodeOptions,
): Decoded => {
  const cursor = createCursor(bytes);
  const value = decodeAt(meta, type, cursor, options);
  takeEnd(cursor);
  return value;
};
