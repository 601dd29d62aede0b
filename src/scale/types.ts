import type { LookupEntry, MetadataLookup } from '@polkadot-api/metadata-builders';
import type { UnifiedMetadata } from '@polkadot-api/substrate-bindings';

export type { LookupEntry, UnifiedMetadata };

export type PalletMeta = UnifiedMetadata['pallets'][number];
export type StorageItemMeta = NonNullable<PalletMeta['storage']>['items'][number];

/** A type of one kind. */
export type EntryOf<K extends LookupEntry['type']> = Extract<LookupEntry, { type: K }>;
/** The types of a struct's fields by label. */
export type StructEntries = Readonly<Record<string, LookupEntry>>;
/** The shape of one variant's fields. */
export type Fields = EntryOf<'enum'>['value'][string];

/** A runtime's metadata with the lookups that the devtools need. */
export type RuntimeMeta = {
  /** In the form of V14 to V16; older metadata is converted (`historic`). */
  readonly metadata: UnifiedMetadata;
  /** The version in which the runtime describes itself. */
  readonly version: number;
  readonly lookup: MetadataLookup;
  /** SS58 address prefix; 42 if the runtime declares none. */
  readonly ss58Prefix: number;
  /** Type ids of the outer call, the address and the signature; null if the metadata has none. */
  readonly callType: number | null;
  readonly addressType: number | null;
  readonly signatureType: number | null;
  pallet(name: string): PalletMeta | null;
  palletAt(index: number): PalletMeta | null;
  /** Display name of a type: the last segment of its path with parameters, or its shape. */
  typeName(id: number): string;
};

/** One decoded value with its byte range, as offsets into the decoded bytes. */
export type Decoded = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
} & DecodedBody;

export type DecodedField = {
  readonly label: string;
  readonly docs: string;
  /** Whether it is certainly an amount in the chain's unit. */
  readonly isAmount: boolean;
  /** Whether it is a timestamp in milliseconds since 1970. */
  readonly isMoment?: boolean;
  readonly value: Decoded;
};

export type DecodedBody =
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'account'; readonly value: string; readonly id: string }
  | { readonly kind: 'bits'; readonly value: string }
  | { readonly kind: 'void' }
  | { readonly kind: 'none' }
  | { readonly kind: 'some'; readonly value: Decoded }
  | { readonly kind: 'struct'; readonly fields: readonly DecodedField[] }
  | { readonly kind: 'list'; readonly items: readonly Decoded[]; readonly isTuple: boolean }
  | {
      readonly kind: 'variant';
      readonly name: string;
      readonly docs: string;
      /** Null for a variant without fields. */
      readonly value: Decoded | null;
    };

/**
 * A value as JSON: integers beyond 2^53 as bigint (if typed as JSON) or decimal strings, bytes as 0x strings,
 * variants as `"Name"` or `{Name: value}`. Parse and write it with src/protocol/json.ts.
 */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
