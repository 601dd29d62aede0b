import { bytesToKey, concatBytes, textToBytes } from '../../bytes/bytes.ts';
import type { Crypto } from '../../crypto/crypto.ts';

/** The pallet and the item of a key. Null: no item, as of a pallet's own prefix, or one that is not known. */
export type KeyName = { readonly pallet: string; readonly item: string | null };

/** Names of storage: of each pallet, under its storage prefix, the items. */
export type StorageNames = readonly {
  readonly pallet: string;
  readonly prefix: string;
  readonly items: readonly string[];
}[];

export type KeyNames = {
  add(names: StorageNames): void;
  /** Null: the pallet is not known, or the key is none of a pallet. */
  of(key: Uint8Array): KeyName | null;
};

/** A key begins with twox128 of the pallet's prefix and twox128 of the item's name (frame-support, storage/generator). */
const hashLength = 16;

export const createKeyNames = ({ twox128 }: Pick<Crypto, 'twox128'>): KeyNames => {
  const names = new Map<string, KeyName>();
  const hash = (name: string): Uint8Array => twox128(textToBytes(name));
  const nameOf = (key: Uint8Array, length: number): KeyName | null =>
    key.length < length ? null : (names.get(bytesToKey(key.subarray(0, length))) ?? null);
  return {
    add: (added) => {
      for (const { pallet, prefix, items } of added) {
        const first = hash(prefix);
        names.set(bytesToKey(first), { pallet, item: null });
        for (const item of items) names.set(bytesToKey(concatBytes(first, hash(item))), { pallet, item });
      }
    },
    of: (key) => nameOf(key, 2 * hashLength) ?? nameOf(key, hashLength),
  };
};
