import type { Crypto } from '../crypto/crypto.ts';
import type { Keystore } from '../keystore/keystore.ts';

/** Dependencies of the slot engines. */
export type EngineDeps = {
  readonly crypto: Crypto;
  readonly keystore: Pick<Keystore, 'pairs'>;
  readonly now: () => number;
  /** The earliest time of the next block (ms since 1970). */
  readonly floorMs: () => number;
  /** Slots that end by `now` are not claimed. */
  readonly followsWall?: boolean;
};
