import type { NetworkConfig } from '../../src/protocol/network.ts';
import type { Dialect, NodeConfig, NodeStatus } from '../../src/protocol/node.ts';
import type { Author } from '../author/author.ts';
import type { Finality } from '../author/finality-mode.ts';
import type { Sealing } from '../author/sealing.ts';
import type { Chain } from '../chain/chain.ts';
import type { Grandpa } from '../consensus/grandpa/grandpa.ts';
import type { VotingSwitch } from '../consensus/grandpa/voting-switch.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Dev } from '../dev/dev.ts';
import type { Executor } from '../executor/executor.ts';
import type { RunningFork } from '../fork/running.ts';
import type { Keystore } from '../keystore/keystore.ts';
import type { Network } from '../network/lazy-network.ts';
import type { LocalPeer } from '../network/local-peer.ts';
import type { Syncing } from '../network/syncing.ts';
import type { OffchainStorage } from '../offchain/storage.ts';
import type { Pool } from '../pool/pool.ts';

/** What the methods need from the node; a subset of `NodeParts`, so that test doubles stay small. */
export type RpcParts = {
  readonly chain: Pick<
    Chain,
    | 'genesisHash'
    | 'spec'
    | 'view'
    | 'genesisJson'
    | 'base'
    | 'best'
    | 'finalized'
    | 'loadHeader'
    | 'tryHeader'
    | 'loadBlock'
    | 'loadHashAt'
    | 'runtimeAt'
    | 'withState'
    | 'tryState'
    | 'scans'
    | 'callAt'
    | 'reexecute'
    | 'record'
    | 'run'
    | 'callRecorded'
    | 'finalize'
    | 'onEvent'
    | 'timings'
    | 'unfinalized'
    | 'isStateKept'
    | 'keepPruned'
    | 'pinStates'
    | 'discard'
  >;
  /** Null: the chain is no fork. */
  readonly fork: Pick<RunningFork, 'exportPack' | 'rebase' | 'liveToo'> | null;
  readonly grandpa: Pick<Grandpa, 'authoritySet' | 'loadSet'>;
  readonly voting: Pick<VotingSwitch, 'doubleVotes' | 'rounds'>;
  readonly pool: Pick<
    Pool,
    'submit' | 'watch' | 'provider' | 'ready' | 'future' | 'banned' | 'pending' | 'remove'
  >;
  readonly author: Pick<Author, 'seal'>;
  readonly finality: Pick<Finality, 'setMode'>;
  readonly dev: Dev;
  readonly sealing: Pick<Sealing, 'mode' | 'setMode'>;
  readonly sessionKeys: () => Promise<void>;
  readonly keystore: Pick<Keystore, 'insert' | 'has' | 'list' | 'pairs' | 'attempt' | 'flush'>;
  readonly offchain: { readonly storage: Pick<OffchainStorage, 'peek' | 'load' | 'write' | 'set' | 'flush'> };
  readonly crypto: Crypto;
  readonly localPeer: LocalPeer;
  readonly network: Pick<Network, 'peers' | 'isJoined' | 'opened' | 'open'>;
  readonly joinNetwork: (config: NetworkConfig) => Promise<void>;
  readonly leaveNetwork: () => void;
  readonly syncing: Syncing;
  readonly executor: Pick<
    Executor,
    'load' | 'liveInstances' | 'memoryPages' | 'watchLogs' | 'note' | 'logFilter'
  >;
  readonly db: { sizeBytes(): Promise<number> };
  readonly status: () => Promise<NodeStatus>;
  /** Calls back once after `ms`. Returns a function that cancels it. */
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Receives errors that belong to no request. */
  readonly onError: (error: unknown) => void;
  readonly dialect: Dialect;
  readonly config: Pick<NodeConfig, 'keys' | 'likeChopsticks'>;
};
