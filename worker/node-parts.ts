import type { NetworkConfig } from '../src/protocol/network.ts';
import type { Dialect, NodeConfig, NodeStatus } from '../src/protocol/node.ts';
import type { Author } from './author/author.ts';
import type { Finality } from './author/finality-mode.ts';
import type { Sealing } from './author/sealing.ts';
import type { Chain } from './chain/chain.ts';
import type { Equivocations } from './consensus/equivocations.ts';
import type { Grandpa } from './consensus/grandpa/grandpa.ts';
import type { VotingSwitch } from './consensus/grandpa/voting-switch.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { Database } from './db/database.ts';
import type { Dev } from './dev/dev.ts';
import type { Executor } from './executor/executor.ts';
import type { RunningFork } from './fork/running.ts';
import type { Keystore } from './keystore/keystore.ts';
import type { Network } from './network/lazy-network.ts';
import type { LocalPeer } from './network/local-peer.ts';
import type { Syncing } from './network/syncing.ts';
import type { Offchain } from './offchain/offchain.ts';
import type { Platform } from './platform.ts';
import type { Pool } from './pool/pool.ts';

/** The dependencies of the RPC methods. */
export type NodeParts = {
  readonly chain: Chain;
  /** Null: the chain is no fork. */
  readonly fork: RunningFork | null;
  readonly grandpa: Grandpa;
  readonly voting: VotingSwitch;
  readonly equivocations: Equivocations;
  readonly pool: Pool;
  readonly author: Author;
  readonly sealing: Sealing;
  readonly finality: Finality;
  readonly keystore: Keystore;
  readonly executor: Executor;
  readonly localPeer: LocalPeer;
  readonly offchain: Offchain;
  readonly network: Network;
  /** Takes part in a network from now on. Throws `InNetwork` with the reasons against it, and `BadConfig`. */
  readonly joinNetwork: (config: NetworkConfig) => Promise<void>;
  readonly leaveNetwork: () => void;
  readonly syncing: Syncing;
  readonly crypto: Crypto;
  readonly db: Database;
  readonly dev: Dev;
  readonly status: () => Promise<NodeStatus>;
  readonly schedule: Platform['schedule'];
  readonly onError: Platform['onError'];
  /** Resolves when the configured keys are stored under all session key types of the runtime. */
  readonly sessionKeys: () => Promise<void>;
  readonly dialect: Dialect;
  readonly config: NodeConfig;
};
