import { Metadata, TypeRegistry } from '@polkadot/types';
import { getSpecAlias, getSpecTypes } from '@polkadot/types-known';
import type { PalletMeta, StorageItemMeta, UnifiedMetadata } from '../types.ts';
import { field, type TypeTable } from './portable.ts';
import { createTypeTable, snakeCase } from './types.ts';

/** Whose runtime the metadata describes, as `system_chain` and `state_getRuntimeVersion` return it. */
export type RuntimeIdentity = {
  readonly chain: string;
  readonly specName: string;
  readonly specVersion: number;
};

type OldPallet = Metadata['asV14']['pallets'][number];
type OldVariants = { readonly type: { toNumber(): number } };
type Kind = 'calls' | 'events' | 'errors';

/** From V12 on, pallets have an index of their own; before, each kind of item counts the pallets that have it. */
const firstVersionWithIndices = 12;

const textsOf = (list: Iterable<{ toString(): string }>): string[] => [...list].map(String);

/** Metadata V9 to V13 as `@polkadot/types` reads it: what it calls V14 still names each type. */
const readOld = (bytes: Uint8Array, { chain, specName, specVersion }: RuntimeIdentity) => {
  const registry = new TypeRegistry();
  registry.register(getSpecTypes(registry, chain, specName, specVersion));
  registry.knownTypes.typesAlias = getSpecAlias(registry, chain, specName);
  const metadata = new Metadata(registry, bytes);
  registry.setMetadata(metadata);
  return { registry, old: metadata.asV14, version: metadata.version };
};

type Old = ReturnType<typeof readOld>;

/** The expression that an index of the old lookup stands for. */
const createNames = ({ old }: Old) => {
  const typeAt = (id: number) => old.lookup.types[id]?.type;
  const nameAt = (id: number): string => {
    const def = typeAt(id)?.def;
    if (def?.isHistoricMetaCompat) return def.asHistoricMetaCompat.toString();
    if (def?.isTuple) return `(${def.asTuple.map((one) => nameAt(one.toNumber())).join(',')})`;
    return 'Null';
  };
  return { typeAt, nameAt };
};

type Converter = ReturnType<typeof createNames> & { readonly table: TypeTable };

/** The enum of a pallet's calls, events or errors; undefined if it has none. */
const convertVariants = (
  { typeAt, nameAt, table }: Converter,
  pallet: string,
  kind: Kind,
  found: OldVariants | null,
): { readonly type: number } | undefined => {
  const def = found === null ? undefined : typeAt(found.type.toNumber())?.def;
  if (!def?.isVariant) return undefined;
  const crate = pallet === 'System' ? 'frame_system' : `pallet_${snakeCase(pallet)}`;
  return {
    type: table.add({
      path: [crate, 'pallet', { calls: 'Call', events: 'Event', errors: 'Error' }[kind]],
      def: {
        tag: 'variant',
        value: def.asVariant.variants.map((one) => ({
          name: one.name.toString(),
          index: one.index.toNumber(),
          fields: one.fields.map(({ name, type }) => {
            const typeName = nameAt(type.toNumber());
            return field(table.idOf(typeName), typeName, name.isSome ? name.unwrap().toString() : undefined);
          }),
          docs: textsOf(one.docs),
        })),
      },
    }),
  };
};

const convertItem = (
  { nameAt, table }: Converter,
  item: ReturnType<OldPallet['storage']['unwrap']>['items'][number],
): StorageItemMeta => {
  const idOf = (id: { toNumber(): number }): number => table.idOf(nameAt(id.toNumber()));
  return {
    name: item.name.toString(),
    // One for an entry with a default (frame-metadata, StorageEntryModifier).
    modifier: item.modifier.isOptional ? 0 : 1,
    type: item.type.isPlain
      ? { tag: 'plain', value: idOf(item.type.asPlain) }
      : {
          tag: 'map',
          value: {
            hashers: item.type.asMap.hashers.map(({ type }) => ({ tag: type, value: undefined })),
            key: idOf(item.type.asMap.key),
            value: idOf(item.type.asMap.value),
          },
        },
    fallback: item.fallback.toHex(),
    docs: textsOf(item.docs),
    deprecationInfo: { tag: 'NotDeprecated', value: undefined },
  } as StorageItemMeta;
};

const convertPallet = (converter: Converter, pallet: OldPallet, index: number): PalletMeta => {
  const name = pallet.name.toString();
  const variants = (kind: Kind) =>
    convertVariants(converter, name, kind, pallet[kind].unwrapOr(null) as OldVariants | null);
  const storage = pallet.storage.unwrapOr(null);
  return {
    name,
    index,
    docs: [],
    storage:
      storage === null
        ? undefined
        : {
            prefix: storage.prefix.toString(),
            items: storage.items.map((item) => convertItem(converter, item)),
          },
    calls: variants('calls'),
    events: variants('events'),
    errors: variants('errors'),
    constants: pallet.constants.map((constant) => ({
      name: constant.name.toString(),
      type: converter.table.idOf(converter.nameAt(constant.type.toNumber())),
      value: constant.value.toHex(),
      docs: textsOf(constant.docs),
    })),
    associatedTypes: [],
    viewFns: [],
  } as unknown as PalletMeta;
};

/** Fills in the outer enum of a kind, which calls and events inside other types refer to by this name. */
const defineOuter = (
  table: TypeTable,
  name: string,
  pallets: readonly PalletMeta[],
  kind: Kind,
  hasIndices: boolean,
): number => {
  const having = pallets.filter((pallet) => pallet[kind] !== undefined);
  const value = having.map((pallet, at) => ({
    name: pallet.name,
    index: hasIndices ? pallet.index : at,
    fields: [field(pallet[kind]?.type ?? 0, '')],
    docs: [],
  }));
  return table.define(name, { path: [`Runtime${name}`], def: { tag: 'variant', value } });
};

/** Transaction extensions, whose data the library knows by their names. */
const convertExtensions = ({ registry, old }: Old, table: TypeTable) => {
  const typeOf = (types: Readonly<Record<string, string>>): number => {
    const fields = Object.entries(types).map(([name, type]) => field(table.idOf(type), type, name));
    return fields.length === 1 && fields[0] !== undefined
      ? fields[0].type
      : table.add({ def: { tag: 'composite', value: fields } });
  };
  const named = old.extrinsic.signedExtensions.map(({ identifier }) => identifier.toString());
  // Metadata before V11 names none: then the library's own list holds.
  return (named.length > 0 ? named : registry.signedExtensions).map((identifier) => {
    registry.setSignedExtensions([identifier], undefined, true);
    return {
      identifier,
      type: typeOf(registry.getSignedExtensionTypes() as Record<string, string>),
      additionalSigned: typeOf(registry.getSignedExtensionExtra() as Record<string, string>),
    };
  });
};

/**
 * Metadata V9 to V13 with its types described, in the form of later versions. It only names its types; what they are
 * comes from the collections of `@polkadot/types` and `@polkadot/types-known`, by chain and version. A type that they
 * lack cannot be decoded. Throws if the metadata cannot be read.
 */
export const describeMetadata = (
  bytes: Uint8Array,
  identity: RuntimeIdentity,
): { readonly metadata: UnifiedMetadata; readonly version: number } => {
  const read = readOld(bytes, identity);
  const { registry, old, version } = read;
  const table = createTypeTable(registry);
  // Named before anything that contains calls or events is resolved.
  const empty = { path: [], def: { tag: 'tuple' as const, value: [] } };
  for (const name of ['Call', 'Event']) table.define(name, empty);
  const converter = { ...createNames(read), table };
  const hasIndices = version >= firstVersionWithIndices;
  const pallets = old.pallets.map((pallet, at) =>
    convertPallet(converter, pallet, hasIndices ? pallet.index.toNumber() : at),
  );
  const call = defineOuter(table, 'Call', pallets, 'calls', hasIndices);
  const event = defineOuter(table, 'Event', pallets, 'events', hasIndices);
  const error = defineOuter(table, 'Error', pallets, 'errors', hasIndices);
  const extensions = convertExtensions(read, table);
  return {
    version,
    metadata: {
      version: 15,
      lookup: table.lookup,
      pallets,
      extrinsic: {
        version: [old.extrinsic.version.toNumber()],
        extensions: Object.fromEntries(extensions.map((one) => [one.identifier, one])),
        extensionsByVersion: { 0: extensions },
        address: table.idOf('Address'),
        call,
        signature: table.idOf('ExtrinsicSignature'),
      },
      apis: [],
      outerEnums: { call, event, error },
      custom: [],
    } as unknown as UnifiedMetadata,
  };
};
