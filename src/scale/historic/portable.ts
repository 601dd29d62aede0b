import type { UnifiedMetadata } from '../types.ts';

type Lookup = UnifiedMetadata['lookup'];
export type PortableType = Lookup[number];
export type PortableDef = PortableType['def'];
export type PortableField = Extract<PortableDef, { tag: 'composite' }>['value'][number];

/** What a type is, without its id. */
export type TypeShape = Pick<PortableType, 'def'> & Partial<Pick<PortableType, 'path' | 'params'>>;

/** Describes types in the form of metadata V14: a list in which types refer to each other by index. */
export type TypeTable = {
  readonly lookup: Lookup;
  /** The index of the type with this name or expression, such as `Vec<(AccountId,Balance)>`. */
  idOf(type: string): number;
  /** Adds a type, which has no name that others could refer to. */
  add(shape: TypeShape): number;
  /** Says what a name refers to: the calls and events of the runtime itself. */
  define(name: string, shape: TypeShape): number;
};

export const field = (type: number, typeName: string, name?: string): PortableField => ({
  name,
  type,
  typeName,
  docs: [],
});
