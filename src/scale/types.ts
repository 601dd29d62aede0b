import type { UnifiedMetadata } from '@polkadot-api/substrate-bindings';

export type { UnifiedMetadata };

export type PalletMeta = UnifiedMetadata['pallets'][number];
export type StorageItemMeta = NonNullable<PalletMeta['storage']>['items'][number];

/** What values mean beyond their type; `meanings.ts` says which, and how each is written. */
export type Meaning =
  | 'amount'
  | 'moment'
  | 'flags'
  | 'part'
  | 'era'
  | 'weight'
  | 'digestItem'
  | 'dispatchError'
  | 'account';

/** One variant of an enum. */
export type VariantEntry = {
  /** The byte that selects it; 256 for one that nothing describes. */
  readonly idx: number;
  readonly docs: readonly string[];
  /** What it holds as one value; null for nothing. */
  readonly inner: LookupEntry | null;
};

export type StructEntry = {
  readonly type: 'struct';
  /** The types of the fields by name. */
  readonly value: Readonly<Record<string, LookupEntry>>;
  readonly innerDocs: Readonly<Record<string, readonly string[]>>;
  /** What fields mean, where it is not their type that tells. */
  readonly meanings: Readonly<Record<string, Meaning>>;
};

/** How values of a type are encoded. Types that only wrap another one have the shape of that. */
export type LookupShape =
  | { readonly type: 'void' }
  | { readonly type: 'primitive'; readonly value: string }
  | { readonly type: 'compact'; readonly size: string }
  /** Bits in integers of `storeBits` bits each. */
  | { readonly type: 'bitSequence'; readonly storeBits: number; readonly isLSB: boolean }
  | { readonly type: 'AccountId32' }
  | { readonly type: 'AccountId20' }
  | { readonly type: 'sequence'; readonly value: LookupEntry }
  | { readonly type: 'array'; readonly value: LookupEntry; readonly len: number }
  | { readonly type: 'tuple'; readonly value: readonly LookupEntry[] }
  | StructEntry
  | { readonly type: 'option'; readonly value: LookupEntry }
  | { readonly type: 'result'; readonly value: { readonly ok: LookupEntry; readonly ko: LookupEntry } }
  | {
      readonly type: 'enum';
      readonly value: Readonly<Record<string, VariantEntry>>;
      /** Of the whole value, if it is fixed: a shorter variant is padded with zeros. */
      readonly byteLength?: number;
    };

/** A type of a runtime's metadata. */
export type LookupEntry = LookupShape & {
  /** Its index in the metadata; -1 for the fields of a variant. */
  readonly id: number;
  /** Its path in the source; empty for a type without a name. */
  readonly path: readonly string[];
  readonly meaning?: Meaning | null | undefined;
};

/** A type of one kind. */
export type EntryOf<K extends LookupEntry['type']> = Extract<LookupEntry, { type: K }>;

/** A runtime's metadata with the lookups that its users need. */
export type RuntimeMeta = {
  /** In the form of V14 to V16; older metadata is converted (`historic`). */
  readonly metadata: UnifiedMetadata;
  /** The version in which the runtime describes itself. */
  readonly version: number;
  /** As the runtime encodes it, for the metadata hash (RFC-78), which older versions than V15 do not have: null for these. */
  readonly encoded: Uint8Array | null;
  /** A type by its index; throws TypeError if there is none. */
  lookup(type: number): LookupEntry;
  /** What a storage entry's value means, if its type does not tell. */
  entryMeaning(pallet: string, name: string): Meaning | null;
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
  /** What it means beyond its type. */
  readonly meaning?: Meaning | null | undefined;
} & DecodedBody;

export type DecodedField = {
  readonly label: string;
  readonly docs: string;
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
