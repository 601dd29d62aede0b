import { createMeanings } from './meanings.ts';
import type { LookupEntry, LookupShape, StructEntry, UnifiedMetadata, VariantEntry } from './types.ts';

type Portable = UnifiedMetadata['lookup'][number];
type Fields = Extract<Portable['def'], { tag: 'composite' }>['value'];

/** A type that wraps itself would loop for ever. Real wrappers are a few levels deep. */
const deepest = 32;

/** What the metadata says about types, without resolving those that they contain. */
const createReader = ({ lookup }: Pick<UnifiedMetadata, 'lookup'>) => {
  /** Follows types with one unnamed field, which add no bytes and no name. */
  const unwrap = (id: number, depth = 0): number => {
    const def = lookup[id]?.def;
    if (depth > deepest) throw new TypeError(`Type ${id} wraps itself`);
    if (def?.tag === 'composite' && def.value.length === 1 && def.value[0]?.name === undefined)
      return unwrap(def.value[0]?.type ?? -1, depth + 1);
    return def?.tag === 'tuple' && def.value.length === 1 ? unwrap(def.value[0] ?? -1, depth + 1) : id;
  };
  const primitiveAt = (id: number): string | null => {
    const def = lookup[unwrap(id)]?.def;
    return def?.tag === 'primitive' ? def.value.tag : null;
  };
  /** The length of an array of bytes; null for other types. */
  const bytesAt = (id: number): number | null => {
    const def = lookup[unwrap(id)]?.def;
    return def?.tag === 'array' && primitiveAt(def.value.type) === 'u8' ? def.value.len : null;
  };
  /** Whether values of the type have no bytes. */
  const isVoid = (id: number, depth = 0): boolean => {
    const def = lookup[id]?.def;
    if (depth > deepest) return false;
    const inner = (of: number): boolean => isVoid(of, depth + 1);
    if (def?.tag === 'composite') return def.value.every(({ type }) => inner(type));
    if (def?.tag === 'tuple') return def.value.every(inner);
    return def?.tag === 'array' && (def.value.len === 0 || inner(def.value.type));
  };
  return { unwrap, primitiveAt, bytesAt, isVoid };
};

/** Bits of the integers in which a bit sequence is stored, and their order. */
const bitsShape = ({ lookup }: UnifiedMetadata, store: string | null, order: number): LookupShape => ({
  type: 'bitSequence',
  storeBits: Number(store?.slice(1)) || 8,
  isLSB: !/^msb/i.test(lookup[order]?.path.at(-1) ?? ''),
});

type Work = ReturnType<typeof createReader> & {
  readonly metadata: UnifiedMetadata;
  readonly meanings: ReturnType<typeof createMeanings>;
  readonly known: Map<string, LookupEntry>;
};

/** `within` is the type of the struct around, where the meaning of its fields depends on it. */
const entryAt = (work: Work, id: number, within: number | null = null): LookupEntry => {
  const key = within === null ? String(id) : `${id} in ${within}`;
  const found = work.known.get(key);
  if (found !== undefined) return found;
  const { lookup } = work.metadata;
  const def = lookup[id]?.def;
  // What is compact has the name of what it holds.
  const { path = [] } = lookup[def?.tag === 'compact' ? def.value : id] ?? {};
  // Filled below: a type may contain itself.
  const entry = { id, path, meaning: work.meanings.ofType(id) };
  work.known.set(key, entry as unknown as LookupEntry);
  return Object.assign(entry, shapeAt(work, id, within)) as LookupEntry;
};

/** The struct or enum that fields belong to. */
type Owner = { readonly type: number; readonly variant: string | null; readonly within: number | null };

const structOf = (work: Work, fields: Fields, { type, variant, within }: Owner): StructEntry => ({
  type: 'struct',
  value: Object.fromEntries(
    fields.map((field) => {
      const isOuter = work.meanings.isOuter(type, field.type);
      return [field.name, entryAt(work, field.type, isOuter ? type : null)];
    }),
  ),
  innerDocs: Object.fromEntries(fields.map(({ name, docs }) => [name, docs])),
  meanings: work.meanings.ofFields(type, variant, fields, within),
});

const tupleOf = (work: Work, ids: readonly number[]): LookupShape =>
  ids.length === 0 ? { type: 'void' } : { type: 'tuple', value: ids.map((id) => entryAt(work, id)) };

const fieldsOf = (work: Work, fields: Fields, owner: Owner): LookupShape =>
  fields.length > 0 && fields.every(({ name }) => name !== undefined)
    ? structOf(work, fields, owner)
    : tupleOf(
        work,
        fields.map((field) => field.type),
      );

const innerOf = (work: Work, fields: Fields, type: number, variant: string): LookupEntry | null => {
  const [first, second] = fields;
  if (first === undefined) return null;
  if (second === undefined && first.name === undefined) return entryAt(work, first.type);
  const shape = fieldsOf(work, fields, { type, variant, within: null });
  return { id: -1, path: [], meaning: null, ...shape };
};

/** `sp_runtime::ModuleError`: the index of a pallet, and its error in a fixed number of bytes. */
const moduleErrorOf = (work: Work, fields: Fields): LookupShape | null => {
  const [index, error] = fields;
  const length = error?.name === 'error' ? work.bytesAt(error.type) : null;
  if (
    fields.length !== 2 ||
    index?.name !== 'index' ||
    work.primitiveAt(index.type) !== 'u8' ||
    length === null
  )
    return null;
  const variants = work.metadata.pallets.map(({ name, index: idx, errors }): [string, VariantEntry] => [
    name,
    { idx, docs: [], inner: errors === undefined ? null : entryAt(work, errors.type) },
  ]);
  return { type: 'enum', value: Object.fromEntries(variants), byteLength: 1 + length };
};

const enumOf = (work: Work, { path, params, def }: Portable, id: number): LookupShape => {
  const [first, second] = params.map(({ type }) => type);
  if (path.join() === 'Option' && first !== undefined) return { type: 'option', value: entryAt(work, first) };
  if (path.join() === 'Result' && first !== undefined && second !== undefined)
    return { type: 'result', value: { ok: entryAt(work, first), ko: entryAt(work, second) } };
  const variants = (def.tag === 'variant' ? def.value : []).map(
    ({ name, index, docs, fields }): [string, VariantEntry] => [
      name,
      { idx: index, docs, inner: innerOf(work, fields, id, name) },
    ],
  );
  return { type: 'enum', value: Object.fromEntries(variants) };
};

const shapeAt = (work: Work, outer: number, within: number | null): LookupShape => {
  const id = work.unwrap(outer);
  const { lookup } = work.metadata;
  const type = lookup[id];
  if (type === undefined) throw new TypeError(`The metadata has no type ${id}`);
  if (work.isVoid(id)) return { type: 'void' };
  const last = lookup[outer]?.path.at(-1);
  if (last === 'AccountId32' && work.bytesAt(id) === 32) return { type: 'AccountId32' };
  if (last === 'AccountId20' && work.bytesAt(id) === 20) return { type: 'AccountId20' };
  const { def } = type;
  switch (def.tag) {
    case 'composite':
      return moduleErrorOf(work, def.value) ?? fieldsOf(work, def.value, { type: id, variant: null, within });
    case 'variant':
      return enumOf(work, type, id);
    case 'sequence':
      return { type: 'sequence', value: entryAt(work, def.value) };
    case 'array':
      return { type: 'array', value: entryAt(work, def.value.type), len: def.value.len };
    case 'tuple':
      return tupleOf(work, def.value);
    case 'primitive':
      return { type: 'primitive', value: def.value.tag };
    case 'compact': {
      const size = work.primitiveAt(def.value);
      return size === null ? { type: 'void' } : { type: 'compact', size };
    }
    case 'bitSequence': {
      const { bitStoreType, bitOrderType } = def.value;
      return bitsShape(work.metadata, work.primitiveAt(bitStoreType), bitOrderType);
    }
  }
};

/**
 * Resolves the types of a runtime's metadata, each once: `lookup(id)`. Unlike the lookup of
 * `@polkadot-api/metadata-builders`, it keeps each type's own id and path, structs with a single named field, and
 * fields without bytes, so that values have the form that the runtime's source gives them.
 */
export const createLookup = (metadata: UnifiedMetadata): ((id: number) => LookupEntry) => {
  const meanings = createMeanings(metadata);
  const work = { ...createReader(metadata), metadata, meanings, known: new Map<string, LookupEntry>() };
  return (id) => entryAt(work, id);
};
