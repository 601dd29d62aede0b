import type { LookupEntry, MetadataLookup } from '@polkadot-api/metadata-builders';
import type { UnifiedMetadata } from '@polkadot-api/substrate-bindings';

export type { LookupEntry, UnifiedMetadata };

export type PalletMeta = UnifiedMetadata['pallets'][number];
export type StorageItemMeta = NonNullable<PalletMeta['storage']>['items'][number];

/** The shape of one variant's fields. */
export type Fields = Extract<LookupEntry, { type: 'enum' }>['value'][string];

/** All that the devtools know of one runtime, from its metadata (V14 to V16). */
export type RuntimeMeta = {
  readonly metadata: UnifiedMetadata;
  readonly lookup: MetadataLookup;
  /** SS58 prefix of addresses, 42 where the runtime names none. */
  readonly ss58Prefix: number;
  /** Type ids of the whole call, an address and a signature; null where the metadata has none. */
  readonly callType: number | null;
  readonly addressType: number | null;
  readonly signatureType: number | null;
  pallet(name: string): PalletMeta | null;
  palletAt(index: number): PalletMeta | null;
  /** A type for people: the last word of its path with parameters, else its shape. */
  typeName(id: number): string;
};

/** One decoded value with the bytes it stands on: offsets into the value that was decoded. */
export type Decoded = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
} & DecodedBody;

export type DecodedField = {
  readonly label: string;
  readonly docs: string;
  /** Whether it is an amount in the chain's unit for sure. */
  readonly isAmount: boolean;
  /** Whether it is a moment: milliseconds since 1970. */
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

/** A value as JSON: whole numbers beyond 2^53 as decimal text, bytes as 0x text, variants as `"Name"` or `{Name: value}`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
