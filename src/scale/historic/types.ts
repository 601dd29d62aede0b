import { getTypeDef, TypeDefInfo, type TypeRegistry } from '@polkadot/types';
import type { TypeDef } from '@polkadot/types/types';
import { builtIns } from './built-ins.ts';
import { field, type PortableDef, type TypeShape, type TypeTable } from './portable.ts';

export const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();

/** Types whose whole path the devtools know, because they show parts of them as amounts. */
const knownPaths: Readonly<Record<string, readonly string[]>> = {
  AccountInfoWithRefCount: ['frame_system', 'AccountInfo'],
  AccountInfoWithDualRefCount: ['frame_system', 'AccountInfo'],
  AccountInfoWithProviders: ['frame_system', 'AccountInfo'],
  AccountInfoWithTripleRefCount: ['frame_system', 'AccountInfo'],
  AccountData: ['pallet_balances', 'types', 'AccountData'],
};
/** The names come from a node: `constructor` is a type that nothing describes. */
const ownOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const pathOf = (name: string): string[] => [...(ownOf(knownPaths, name) ?? [name])];

/** Null for an expression that the library does not read. */
const readExpression = (type: string): TypeDef | null => {
  try {
    return getTypeDef(type);
  } catch {
    return null;
  }
};

const partsOf = ({ sub }: TypeDef): readonly TypeDef[] =>
  sub === undefined ? [] : Array.isArray(sub) ? sub : [sub];

/** A variant that no byte selects: a type without a description cannot be decoded, and says its name. */
const undescribed = (name: string): TypeShape => ({
  path: pathOf(name),
  def: { tag: 'variant', value: [{ name, index: 256, fields: [], docs: [] }] },
});

type Resolve = (type: string) => number;

const optionOf = (inner: number, typeName: string): TypeShape => ({
  path: ['Option'],
  params: [{ name: 'T', type: inner }],
  def: {
    tag: 'variant',
    value: [
      { name: 'None', index: 0, fields: [], docs: [] },
      { name: 'Some', index: 1, fields: [field(inner, typeName)], docs: [] },
    ],
  },
});

const resultOf = ([ok, ko]: readonly TypeDef[], idOf: Resolve): TypeShape => {
  const [okId, koId] = [idOf(ok?.type ?? 'Null'), idOf(ko?.type ?? 'Null')];
  return {
    path: ['Result'],
    params: [
      { name: 'T', type: okId },
      { name: 'E', type: koId },
    ],
    def: {
      tag: 'variant',
      value: [
        { name: 'Ok', index: 0, fields: [field(okId, '')], docs: [] },
        { name: 'Err', index: 1, fields: [field(koId, '')], docs: [] },
      ],
    },
  };
};

const enumOf = (parts: readonly TypeDef[], idOf: Resolve): PortableDef => ({
  tag: 'variant',
  value: parts.map(({ name = '', type, index }, at) => ({
    name,
    index: index ?? at,
    fields: type === 'Null' ? [] : [field(idOf(type), type)],
    docs: [],
  })),
});

const structOf = (parts: readonly TypeDef[], idOf: Resolve): PortableDef => ({
  tag: 'composite',
  // The library writes names in camel case; runtimes, in snake case.
  value: parts.map(({ name, type }) => field(idOf(type), type, name && snakeCase(name))),
});

const integer = (prefix: string, bits: number | undefined): TypeShape => ({
  def: { tag: 'primitive', value: { tag: `${prefix}${bits ?? 64}` as 'u64', value: undefined } },
});

/** Key and value pairs of a map, the elements of a set, or the two ends of a range. */
const listOf = (def: TypeDef, idOf: Resolve, table: Pick<TypeTable, 'add'>): TypeShape => {
  const ids = partsOf(def).map(({ type }) => idOf(type));
  const [first = 0] = ids;
  const item = ids.length > 1 ? table.add({ def: { tag: 'tuple', value: ids } }) : first;
  return { def: { tag: 'sequence', value: item } };
};

/** The shape of an expression; null for a name, which its definition describes. */
const shapeOf = (def: TypeDef, idOf: Resolve, table: Pick<TypeTable, 'add'>): TypeShape | null => {
  const parts = partsOf(def);
  const inner = parts[0]?.type ?? 'Null';
  switch (def.info) {
    case TypeDefInfo.Null:
      return { def: { tag: 'tuple', value: [] } };
    case TypeDefInfo.Tuple:
      return { def: { tag: 'tuple', value: parts.map(({ type }) => idOf(type)) } };
    case TypeDefInfo.Vec:
      return { def: { tag: 'sequence', value: idOf(inner) } };
    case TypeDefInfo.VecFixed:
      return { def: { tag: 'array', value: { len: def.length ?? 0, type: idOf(inner) } } };
    case TypeDefInfo.Compact:
      return { def: { tag: 'compact', value: idOf(inner) } };
    case TypeDefInfo.Option:
      return optionOf(idOf(inner), inner);
    case TypeDefInfo.Result:
      return resultOf(parts, idOf);
    case TypeDefInfo.Enum:
      return { def: enumOf(parts, idOf) };
    case TypeDefInfo.Struct:
      return { def: structOf(parts, idOf) };
    case TypeDefInfo.UInt:
      return integer('u', def.length);
    case TypeDefInfo.Int:
      return integer('i', def.length);
    // Flags: one integer as wide as the set.
    case TypeDefInfo.Set:
      return integer('u', def.length ?? 8);
    case TypeDefInfo.BTreeMap:
    case TypeDefInfo.HashMap:
    case TypeDefInfo.BTreeSet:
      return listOf(def, idOf, table);
    case TypeDefInfo.Range:
    case TypeDefInfo.RangeInclusive:
      return { def: { tag: 'tuple', value: parts.map(({ type }) => idOf(type)) } };
    // The neighbors of an entry in a linked map (srml-support, until 2020).
    case TypeDefInfo.Linkage: {
      const neighbor = idOf(`Option<${inner}>`);
      const fields = [field(neighbor, '', 'previous'), field(neighbor, '', 'next')];
      return { path: ['Linkage'], def: { tag: 'composite', value: fields } };
    }
    case TypeDefInfo.WrapperKeepOpaque:
    case TypeDefInfo.WrapperOpaque:
      return { def: { tag: 'sequence', value: idOf('u8') } };
    default:
      return null;
  }
};

/** Resolves type names by the definitions in `registry`. */
export const createTypeTable = (registry: TypeRegistry): TypeTable => {
  const lookup: TypeTable['lookup'] = [];
  const ids = new Map<string, number>();
  const reserve = (): number =>
    lookup.push({ id: lookup.length, path: [], params: [], def: { tag: 'tuple', value: [] }, docs: [] }) - 1;
  const fill = (id: number, { path = [], params = [], def }: TypeShape): number => {
    lookup[id] = { id, path, params, def, docs: [] };
    return id;
  };
  const add = (shape: TypeShape): number => fill(reserve(), shape);
  /** The other name that a name stands for; null for a type of its own. */
  const aliasOf = (name: string): string | null => {
    const definition = ownOf(builtIns, name) === undefined ? registry.getDefinition(name) : undefined;
    if (definition === undefined || definition === name) return null;
    const def = getTypeDef(definition);
    return def.info === TypeDefInfo.Plain ? def.type : null;
  };
  const named = (name: string): TypeShape => {
    const builtIn = ownOf(builtIns, name);
    if (builtIn !== undefined) return builtIn(idOf, { add });
    const definition = registry.getDefinition(name);
    const shape = definition === undefined ? null : shapeOf(getTypeDef(definition), idOf, { add });
    if (shape === null) return undescribed(name);
    const isOwn = shape.def.tag === 'composite' || shape.def.tag === 'variant';
    return isOwn && shape.path === undefined ? { ...shape, path: pathOf(name) } : shape;
  };
  const idOf = (type: string): number => {
    const known = ids.get(type);
    if (known !== undefined) return known;
    const def = readExpression(type);
    if (def === null) return remember(type, add(undescribed(type)));
    // Names of one type share its index: the decoder recognizes accounts by the first type that is one.
    const other = def.info !== TypeDefInfo.Plain ? null : def.type === type ? aliasOf(type) : def.type;
    if (other !== null) return remember(type, idOf(other));
    // Reserved before its parts are resolved, because a type may contain itself.
    const id = remember(type, reserve());
    return fill(id, shapeOf(def, idOf, { add }) ?? named(type));
  };
  const remember = (type: string, id: number): number => {
    ids.set(type, id);
    return id;
  };
  return {
    lookup,
    idOf,
    add,
    define: (name, shape) => fill(ids.get(name) ?? remember(name, reserve()), shape),
  };
};
