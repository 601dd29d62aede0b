import { readAccount } from '../address.ts';
import { DecodeFault, faultText } from '../cursor.ts';
import { decodeValue } from '../decode.ts';
import { EncodeFault, encodeJson } from '../encode.ts';
import { byteCountOf, isByte, pathText } from '../entries.ts';
import { toHex } from '../hex.ts';
import { decodedToJson } from '../json.ts';
import { describeEntry, oneOf } from '../names.ts';
import type { EntryOf, Json, LookupEntry, RuntimeMeta, StructEntry, VariantEntry } from '../types.ts';
import {
  findByName,
  isHexText,
  isMissing,
  isObject,
  listNames,
  type Place,
  readBits,
  readBytes,
  readHexText,
  readInteger,
  refuseValue,
  showValue,
} from './leaves.ts';

/** Limits of one value. A request is shorter, but types may repeat a default many times. */
const deepest = 64;
const mostParts = 1_000_000;
const mostBytes = 16 * 1024 * 1024;

type Work = { readonly meta: RuntimeMeta; parts: number; bytes: number };

const below = ({ path, depth }: Place, step: string | number): Place => ({
  path: pathText([step], path),
  depth: depth + 1,
});

/** A type without contents accepts any empty value. */
const readNothing = (value: unknown, place: Place): null =>
  isMissing(value) || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
    ? null
    : refuseValue(place, `${showValue(value)} is not empty, as the type is: write null`);

const readList = (value: unknown, count: number | null, place: Place): readonly unknown[] => {
  if (count !== null && count > mostParts) refuseValue(place, `a list of ${count} is too long`);
  const items = isMissing(value) ? Array.from({ length: count ?? 0 }) : value;
  if (!Array.isArray(items)) return refuseValue(place, `${showValue(value)} is no list`);
  if (count !== null && items.length !== count)
    refuseValue(place, `the list has ${items.length} items, not ${count}`);
  return items as readonly unknown[];
};

const accountLength = 32;

/** `count` is null for any number. An address may be given wherever 32 bytes are. */
const readByteList = (work: Work, count: number | null, value: unknown, place: Place): Json => {
  if (count !== null && count > mostBytes) refuseValue(place, `a list of ${count} is too long`);
  work.bytes += count ?? 0;
  if (work.bytes > mostBytes) refuseValue(place, 'the value is too large');
  if (isMissing(value)) return `0x${'00'.repeat(count ?? 0)}`;
  const isText = typeof value === 'string' && !isHexText(value);
  const account = isText && count === accountLength ? readAccount(value) : null;
  if (account !== null) return account;
  const bytes = readBytes(value, place);
  if (count === null || bytes.length === count) return toHex(bytes);
  return refuseValue(
    place,
    isText && count === accountLength
      ? `${showValue(value)} is no address (SS58) and not 32 bytes as hex`
      : `${showValue(value)} has ${bytes.length} bytes, not ${count}`,
  );
};

const readPrimitive = (type: string, value: unknown, place: Place): Json => {
  if (type === 'bool') {
    if (isMissing(value) || typeof value === 'boolean') return value === true;
    return refuseValue(place, `${showValue(value)} is neither true nor false`);
  }
  if (type !== 'str' && type !== 'char') return readInteger(value, type, place);
  if (isMissing(value)) return type === 'str' ? '' : '\u0000';
  return typeof value === 'string' ? value : refuseValue(place, `${showValue(value)} is not a string`);
};

/** The fields of a struct by name, or all of them in a list. Missing fields get the default of their type. */
const readStruct = (work: Work, { value: types }: StructEntry, given: unknown, place: Place): Json => {
  const fields = Object.entries(types).map(([name, entry]) => ({ name, entry }));
  if (Array.isArray(given)) {
    const items = readList(given, fields.length, place);
    return Object.fromEntries(
      fields.map(({ name, entry }, index) => [name, read(work, entry, items[index], below(place, index))]),
    );
  }
  if (!isMissing(given) && !isObject(given))
    return refuseValue(place, `${showValue(given)} is no object; its fields are ${listNames(fields)}`);
  const contents = new Map<string, readonly [spelling: string, content: unknown]>();
  for (const [spelling, content] of Object.entries(given ?? {})) {
    const field = findByName(fields, spelling);
    if (field === undefined)
      return refuseValue(place, `there is no field ${showValue(spelling)}; there are ${listNames(fields)}`);
    if (contents.has(field.name)) refuseValue(place, `the field ${field.name} is given twice`);
    contents.set(field.name, [spelling, content]);
  }
  return Object.fromEntries(
    fields.map(({ name, entry }) => {
      const [spelling, content] = contents.get(name) ?? [name, undefined];
      return [name, read(work, entry, content, below(place, spelling))];
    }),
  );
};

type Variant = VariantEntry & { readonly name: string };

/** Interprets an account as a `MultiAddress`; its length determines the variant. Null for anything else. */
const addressVariant = ({ path }: LookupEntry, value: unknown): string | null => {
  if (path.at(-1) !== 'MultiAddress' || typeof value !== 'string') return null;
  if (!isHexText(value)) return readAccount(value) === null ? null : 'Id';
  return value.length === 66 ? 'Id' : value.length === 42 ? 'Address20' : null;
};

/** `"Name"`, `{Name: content}`, `{type: "Name", value: content}` or the index, as clients write variants. */
const pickVariant = (
  entry: LookupEntry,
  variants: readonly Variant[],
  value: unknown,
  place: Place,
): readonly [Variant, unknown] => {
  const type = describeEntry(entry);
  const known = (name: string): Variant =>
    findByName(variants, name) ??
    refuseValue(place, `${type} has no variant ${showValue(name)}; there are ${listNames(variants)}`);
  const byAddress = addressVariant(entry, value);
  if (byAddress !== null) return [known(byAddress), value];
  if (isMissing(value)) {
    const [first] = variants.toSorted((a, b) => a.idx - b.idx);
    return first === undefined ? refuseValue(place, `${type} has no values`) : [first, undefined];
  }
  if (typeof value === 'string') return [known(value), undefined];
  const byNumber = variants.find(({ idx }) => idx === value);
  if (byNumber !== undefined) return [byNumber, undefined];
  const members = isObject(value) ? Object.entries(value) : [];
  const { type: named, value: content } = isObject(value) ? value : {};
  if (typeof named === 'string' && findByName(variants, 'type') === undefined) return [known(named), content];
  const [name, inner] = members[0] ?? [];
  if (members.length === 1 && name !== undefined) return [known(name), inner];
  return refuseValue(
    place,
    `${showValue(value)} is no ${type}: write "Name" or {"Name": …}; there are ${listNames(variants)}`,
  );
};

const readVariant = (
  work: Work,
  entry: LookupEntry,
  variants: readonly Variant[],
  value: unknown,
  place: Place,
): Json => {
  const [{ name, inner }, content] = pickVariant(entry, variants, value, place);
  const at =
    content !== value && content !== undefined ? below(place, name) : { ...place, depth: place.depth + 1 };
  if (inner !== null) return { [name]: read(work, inner, content, at) };
  readNothing(content, at);
  return name;
};

const readOption = (work: Work, inner: LookupEntry, value: unknown, place: Place): Json => {
  if (isMissing(value)) return null;
  const at = { ...place, depth: place.depth + 1 };
  if (inner.type !== 'option' && inner.type !== 'void') return read(work, inner, value, at);
  const isWrapped = isObject(value) && 'Some' in value;
  return { Some: read(work, inner, isWrapped ? value['Some'] : value, at) };
};

/** Whether hex is the SCALE encoding of the whole value, rather than its bytes, its number or the value it wraps. */
const isWhole = (entry: LookupEntry): boolean => {
  if (entry.id < 0) return false;
  if (entry.type === 'sequence' || entry.type === 'array') return !isByte(entry.value);
  return ['struct', 'tuple', 'enum', 'result'].includes(entry.type);
};

/** Hex in place of a type that is neither a number nor bytes is its SCALE encoding. */
const readScale = ({ meta }: Work, entry: LookupEntry, text: string, place: Place): Json => {
  const bytes = readHexText(text, place);
  const wrong = (why: string): never =>
    refuseValue(
      place,
      `${showValue(text)} is not the SCALE encoding of ${oneOf(describeEntry(entry))} (${why})`,
    );
  try {
    const json = decodedToJson(decodeValue(meta, entry.id, bytes, { parts: mostParts }));
    // Padding has no form of its own.
    return toHex(encodeJson(meta, entry.id, json)) === toHex(bytes) ? json : wrong('its padding is not zero');
  } catch (fault) {
    if (fault instanceof EncodeFault) throw fault;
    return wrong(fault instanceof DecodeFault ? faultText(fault) : String(fault));
  }
};

const resultVariants = ({ value: { ok, ko } }: EntryOf<'result'>): readonly Variant[] =>
  [ok, ko].map((inner, idx) => ({ name: idx === 0 ? 'Ok' : 'Err', idx, docs: [], inner }));

const read = (work: Work, entry: LookupEntry, value: unknown, place: Place): Json => {
  if (place.depth > deepest) refuseValue(place, 'the value is nested too deep');
  if (++work.parts > mostParts) refuseValue(place, 'the value is too large');
  if (isHexText(value) && isWhole(entry) && addressVariant(entry, value) === null)
    return readScale(work, entry, value, place);
  const count = entry.type === 'AccountId32' ? accountLength : byteCountOf(entry);
  if (count !== undefined) return readByteList(work, count, value, place);
  const items = (list: readonly unknown[], typeAt: (index: number) => LookupEntry): Json =>
    list.map((item, index) => read(work, typeAt(index), item, below(place, index)));
  switch (entry.type) {
    case 'primitive':
      return readPrimitive(entry.value, value, place);
    case 'compact':
      return readInteger(value, entry.size, place);
    case 'bitSequence':
      return readBits(entry, value, place);
    case 'sequence': {
      const isMap = entry.path.at(-1) === 'BTreeMap' && isObject(value);
      return items(readList(isMap ? Object.entries(value) : value, null, place), () => entry.value);
    }
    case 'array':
      return items(readList(value, entry.len, place), () => entry.value);
    case 'tuple':
      return items(readList(value, entry.value.length, place), (index) => entry.value[index] as LookupEntry);
    case 'struct':
      return readStruct(work, entry, value, place);
    case 'option':
      return readOption(work, entry.value, value, place);
    case 'result':
      return readVariant(work, entry, resultVariants(entry), value, place);
    case 'enum': {
      const variants = Object.entries(entry.value).map(([name, variant]) => ({ name, ...variant }));
      return readVariant(work, entry, variants, value, place);
    }
    default:
      return readNothing(value, place);
  }
};

/**
 * Encodes a value in any of the forms that polkadot-js and chopsticks accept: numbers also as text, bytes as hex or
 * text, accounts as addresses, names in both spellings, and defaults for missing values. Throws EncodeFault, whose
 * path begins with `path`.
 */
export const encodeGiven = (meta: RuntimeMeta, type: number, value: unknown, path: string): Uint8Array => {
  const json = read({ meta, parts: 0, bytes: 0 }, meta.lookup(type), value, { path, depth: 0 });
  return encodeJson(meta, type, json, path);
};
