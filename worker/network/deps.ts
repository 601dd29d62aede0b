import type { Chain } from '../chain/chain.ts';
import type { Grandpa } from '../consensus/grandpa/grandpa.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Database } from '../db/database.ts';
import type { Keystore } from '../keystore/keystore.ts';
import type { Pool } from '../pool/pool.ts';
import type { LocalPeer } from './local-peer.ts';
import type { Role } from './protocol/block-announces.ts';
import type { NodeKey } from './transport/connection.ts';

/** What the network needs of the node. */
export type NetworkDeps = {
  readonly chain: Chain;
  readonly db: Database;
  readonly crypto: Crypto;
  readonly grandpa: Grandpa;
  readonly keystore: Pick<Keystore, 'publicKeys'>;
  /** Chain time, ms since 1970. */
  readonly clock: { now(): number };
  readonly pool: Pool;
  readonly nodeKey: NodeKey;
  readonly localPeer: Pick<LocalPeer, 'addresses'>;
  /** Where TCP connections are requested, if they can be. */
  readonly sockets?: MessagePort | undefined;
  readonly role: () => Role;
  /** Whether the node is far behind its peers. */
  readonly isSyncing: () => boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};
