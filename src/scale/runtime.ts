import { decAnyMetadata, unifyMetadata } from '@polkadot-api/substrate-bindings';
import { createCursor, takeUnsigned } from './cursor.ts';
import { fromHex } from './hex.ts';
import { createLookup } from './lookup.ts';
import { createMeanings } from './meanings.ts';
import type { PalletMeta, RuntimeMeta, UnifiedMetadata } from './types.ts';

const defaultPrefix = 42;

/** The first version of metadata with everything that the metadata hash covers. */
const firstHashed = 15;

const findPrefix = (metadata: UnifiedMetadata): number | null => {
  const system = metadata.pallets.find(({ name }) => name === 'System');
  const constant = system?.constants.find(({ name }) => name === 'SS58Prefix');
  if (constant === undefined) return null;
  const bytes = fromHex(constant.value);
  return Number(takeUnsigned(createCursor(bytes), bytes.length));
};

/** Metadata V14 lists the types of address, call and signature only as parameters of the extrinsic's type. */
const extrinsicTypes = (
  metadata: UnifiedMetadata,
): Pick<RuntimeMeta, 'callType' | 'addressType' | 'signatureType'> => {
  const { extrinsic } = metadata;
  if ('call' in extrinsic)
    return {
      callType: extrinsic.call,
      addressType: extrinsic.address,
      signatureType: extrinsic.signature,
    };
  const params = metadata.lookup[extrinsic.type]?.params ?? [];
  const find = (name: string): number | null => params.find((param) => param.name === name)?.type ?? null;
  return { callType: find('Call'), addressType: find('Address'), signatureType: find('Signature') };
};

const createTypeNames = ({ lookup }: UnifiedMetadata): ((id: number) => string) => {
  const known = new Map<number, string>();
  const describe = (id: number, depth: number): string => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const entry = lookup[id];
    if (entry === undefined || depth > 4) return '…';
    const inner = (of: number): string => describe(of, depth + 1);
    const last = entry.path.at(-1);
    if (last !== undefined) {
      const params = entry.params.flatMap(({ type }) => (type === undefined ? [] : [inner(type)]));
      const isWhole = params.length > 0 && params.join().length < 60 && !/Call$|Event$|^Runtime/.test(last);
      return isWhole ? `${last}<${params.join(', ')}>` : last;
    }
    const { def } = entry;
    switch (def.tag) {
      case 'primitive':
        return def.value.tag;
      case 'compact':
        return `Compact<${inner(def.value)}>`;
      case 'sequence':
        return `Vec<${inner(def.value)}>`;
      case 'array':
        return `[${inner(def.value.type)}; ${def.value.len}]`;
      case 'tuple':
        return `(${def.value.map(inner).join(', ')})`;
      case 'bitSequence':
        return 'BitVec';
      default:
        return def.tag;
    }
  };
  return (id) => {
    const name = describe(id, 0);
    known.set(id, name);
    return name;
  };
};

/** `meta`, followed by the version byte. */
const magic = [0x6d, 0x65, 0x74, 0x61];

/** The version of encoded metadata without a length prefix; null if it is not metadata. */
export const metadataVersion = (bytes: Uint8Array): number | null =>
  magic.every((byte, at) => bytes[at] === byte) ? (bytes[magic.length] ?? null) : null;

/**
 * Adds lookups to decoded metadata. `version` is that of the runtime's own metadata if it was converted, and
 * `ss58Format` the address prefix of the chain, which older runtimes do not declare.
 */
export const toRuntimeMeta = (
  metadata: UnifiedMetadata,
  version: number = metadata.version,
  ss58Format = defaultPrefix,
): RuntimeMeta => {
  const byName = new Map<string, PalletMeta>(metadata.pallets.map((pallet) => [pallet.name, pallet]));
  const byIndex = new Map<number, PalletMeta>(metadata.pallets.map((pallet) => [pallet.index, pallet]));
  return {
    metadata,
    version,
    encoded: null,
    lookup: createLookup(metadata),
    entryMeaning: createMeanings(metadata).ofEntry,
    ss58Prefix: findPrefix(metadata) ?? ss58Format,
    ...extrinsicTypes(metadata),
    pallet: (name) => byName.get(name) ?? null,
    palletAt: (index) => byIndex.get(index) ?? null,
    typeName: createTypeNames(metadata),
  };
};

/** Decodes metadata V14 to V16, with or without a length prefix; throws on anything else. */
export const createRuntimeMeta = (bytes: Uint8Array): RuntimeMeta => {
  const meta = toRuntimeMeta(unifyMetadata(decAnyMetadata(bytes)));
  return meta.version < firstHashed ? meta : { ...meta, encoded: bytes };
};
