import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Hasher, Outline } from './metadata.ts';

type Hashes = Pick<Crypto, 'twox64' | 'twox128' | 'twox256' | 'blake2b128' | 'blake2b256'>;

const hashWith = (crypto: Hashes, hasher: Hasher, key: Uint8Array): Uint8Array => {
  switch (hasher) {
    case 0:
      return crypto.blake2b128(key);
    case 1:
      return crypto.blake2b256(key);
    case 2:
      return concatBytes(crypto.blake2b128(key), key);
    case 3:
      return crypto.twox128(key);
    case 4:
      return crypto.twox256(key);
    case 5:
      return concatBytes(crypto.twox64(key), key);
    case 6:
      return key;
    default:
      return hasher satisfies never;
  }
};

export type ItemName = {
  readonly pallet: string;
  readonly item: string;
  readonly keys: readonly Uint8Array[];
};

/** The storage key of an item, and of an entry when it is a map. Throws `Unsupported` for a name or a number of keys the runtime does not have. */
export const storageKey = (crypto: Hashes, outline: Outline, at: ItemName): Uint8Array => {
  const pallet = outline.pallets.get(at.pallet);
  const hashers = pallet?.items.get(at.item);
  if (pallet === undefined || pallet.prefix === null || hashers === undefined)
    throw new NodeError('Unsupported', `The runtime has no storage item ${at.pallet}.${at.item}`);
  if (hashers.length !== at.keys.length)
    throw new NodeError(
      'Unsupported',
      `${at.pallet}.${at.item} has ${hashers.length} keys, not ${at.keys.length}`,
    );
  const start = [pallet.prefix, at.item].map((name) => crypto.twox128(textToBytes(name)));
  return concatBytes(...start, ...at.keys.map((key, i) => hashWith(crypto, hashers[i] as Hasher, key)));
};
