import type { EntryOf, LookupEntry, RuntimeMeta, StructEntry } from '../../../src/scale/types.ts';

/** Deeper types are given by name only, because the shape of a nested call is as large as the runtime. */
const deepest = 3;
const mostVariants = 24;

type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

/** Whether a plain address is accepted here. */
export const isAccount = (meta: RuntimeMeta, entry: LookupEntry): boolean =>
  entry.type === 'AccountId32' || (entry.type === 'enum' && entry.id === meta.addressType);

const structShape = (meta: RuntimeMeta, value: StructEntry['value'], depth: number): Shape =>
  Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shapeOf(meta, entry, depth)]));

const listShape = (meta: RuntimeMeta, item: LookupEntry, depth: number, length: number | null): Shape => {
  const many = length === null ? '' : `${length} `;
  if (item.type === 'primitive' && item.value === 'u8') return `${many}bytes as 0x text`;
  return { [`list of ${many}`.trim()]: shapeOf(meta, item, depth) };
};

const enumShape = (meta: RuntimeMeta, entry: EntryOf<'enum'>, depth: number): Shape => {
  const variants = Object.entries(entry.value);
  const isPlain = variants.every(([, { inner }]) => inner === null);
  if (isPlain || variants.length > mostVariants) {
    const names = variants.slice(0, mostVariants).map(([name]) => name);
    const more = variants.length > mostVariants ? ` and ${variants.length - mostVariants} more` : '';
    return `one of: ${names.join(', ')}${more}`;
  }
  const shapes = variants.map(([name, { inner }]): readonly [string, Shape] => [
    name,
    inner === null ? 'no content' : shapeOf(meta, inner, depth),
  ]);
  return { 'one of': Object.fromEntries(shapes) };
};

/** A description of the JSON form of a type's values. */
export const shapeOf = (meta: RuntimeMeta, entry: LookupEntry, depth = 0): Shape => {
  const inner = depth + 1;
  if (entry.id >= 0 && entry.id === meta.callType) return 'a call: {"Pallet": {"call": {arguments}}}';
  if (isAccount(meta, entry)) return 'an address, or a name such as Alice';
  if (depth >= deepest && 'value' in entry && entry.type !== 'primitive') return meta.typeName(entry.id);
  switch (entry.type) {
    case 'primitive':
      return entry.value;
    case 'void':
      return 'null';
    case 'compact':
      return entry.size;
    case 'bitSequence':
      return '0b and digits 0 and 1';
    case 'AccountId32':
    case 'AccountId20':
      return '20 bytes as 0x text';
    case 'sequence':
      return listShape(meta, entry.value, inner, null);
    case 'array':
      return listShape(meta, entry.value, inner, entry.len);
    case 'tuple':
      return entry.value.map((item) => shapeOf(meta, item, inner));
    case 'struct':
      return structShape(meta, entry.value, inner);
    case 'option':
      return { 'null or': shapeOf(meta, entry.value, inner) };
    case 'result':
      return {
        'one of': { Ok: shapeOf(meta, entry.value.ok, inner), Err: shapeOf(meta, entry.value.ko, inner) },
      };
    case 'enum':
      return enumShape(meta, entry, inner);
  }
};
