import type { Crypto } from '../crypto/crypto.ts';
import type { Keystore } from '../keystore/keystore.ts';

/** What the slot engines are made of. */
export type EngineDeps = {
  readonly crypto: Crypto;
  readonly keystore: Pick<Keystore, 'pairs'>;
  readonly now: () => number;
  /** The next block is not before this moment (ms since 1970). */
  readonly floorMs: () => number;
  /** No slot is claimed that is over by `now`. */
  readonly followsWall?: boolean;
};
