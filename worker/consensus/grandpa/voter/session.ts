import { bytesToKey, equalBytes } from '../../../bytes/bytes.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { ChainEvent } from '../../../chain/events.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import { type BlockHash, bytesToBlockHash } from '../../../codec/identity.ts';
import type { Crypto } from '../../../crypto/crypto.ts';
import type { KeyPair } from '../../../crypto/keys.ts';
import type { Database } from '../../../db/database.ts';
import type { Keystore } from '../../../keystore/keystore.ts';
import { type AuthoritySet, effective } from '../authorities.ts';
import { createIsBelow, type Grandpa } from '../grandpa.ts';
import { loadProofCrypto } from '../verify.ts';
import { createFinalizer } from './finalize.ts';
import { connectSiblings, createPeerViews, type Gossip } from './gossip.ts';
import { createLineage, type Lineage } from './lineage.ts';
import { type DoubleVote, loadMachineModule } from './machine.ts';
import type { Carrier, PoliteGossip } from './polite.ts';
import { createStore, loadRecords, type VoterRecord } from './record.ts';
import { chooseTarget, createDelayRule, type DelayRule, ownGossipMs } from './targets.ts';
import { startVoter, type Voter } from './voter.ts';

export type VotingDeps = {
  readonly chain: Pick<
    Chain,
    | 'best'
    | 'callAt'
    | 'finalized'
    | 'finalize'
    | 'loadHashAt'
    | 'loadHeader'
    | 'onEvent'
    | 'unfinalized'
    | 'view'
  >;
  readonly grandpa: Pick<Grandpa, 'loadSet'>;
  readonly keystore: Pick<Keystore, 'pairs' | 'publicKeys'>;
  readonly crypto: Crypto;
  readonly db: Pick<Database, 'get' | 'write'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Resolves when watchers have been notified of every block announced so far. */
  readonly settled: () => Promise<void>;
  /** Adds a report to the pool. */
  readonly submit: (extrinsic: Uint8Array) => Promise<{ readonly ok: boolean }>;
  readonly onError: (error: unknown) => void;
  /** Default: no connections. */
  readonly gossip?: Carrier;
  readonly gossipMs?: number;
};

/** `gossip` outlives the sessions. */
export type SessionDeps = Omit<VotingDeps, 'gossip'> & { readonly gossip: PoliteGossip };

/** The node template's. A block is final four of these after it is best, at the earliest. */
export const defaultGossipMs = 333;
/** Neighbor packets are repeated after two minutes, as in the SDK. */
const neighborMs = 120_000;

/** The keys of the keystore that are in a set. */
const findOwnKeys = (
  { keystore }: Pick<VotingDeps, 'keystore'>,
  { authorities }: AuthoritySet,
): KeyPair[] => {
  const names = new Set(authorities.map(({ publicKey }) => bytesToKey(publicKey)));
  return keystore.pairs('gran').filter(({ publicKey }) => names.delete(bytesToKey(publicKey)));
};

const isPaused = ({ forced }: AuthoritySet): boolean => forced.length > 0;

/** Whether the keystore holds the keys of the whole authority set. */
export const holdsWholeSet = async (
  deps: Pick<VotingDeps, 'chain' | 'grandpa' | 'keystore'>,
): Promise<boolean> => {
  const set = await deps.grandpa.loadSet(deps.chain.view);
  return set !== null && findOwnKeys(deps, set).length === set.authorities.length;
};

/** Adds the blocks of the tree, and those between the base of the last round and the finalized block. */
const fillLineage = async (
  { chain }: Pick<VotingDeps, 'chain'>,
  lineage: Lineage,
  base: BlockRef,
): Promise<void> => {
  for (const block of chain.unfinalized()) lineage.add(block);
  let { hash, number } = chain.finalized();
  while (number > base.number) {
    const parent = lineage.get(hash)?.parent;
    const header = parent === undefined ? null : await chain.loadHeader(parent);
    if (parent === undefined || header === null) return;
    number = header.number;
    hash = parent;
    lineage.add({ hash, number, parent: bytesToBlockHash(header.parentHash) });
  }
};

/** The first height above finality at which the set changes on a block's branch. */
const changeHeightOf =
  ({ chain }: Pick<VotingDeps, 'chain'>, pending: () => AuthoritySet) =>
  (block: BlockRef): number | null => {
    const set = pending();
    const isBelow = createIsBelow(chain.view, null);
    const heights = set.scheduled
      .filter((change) => change.hash === block.hash || isBelow(change, block))
      .map(effective);
    return heights.length === 0 ? null : Math.min(...heights);
  };

export type Session = {
  /** One for each key, in the order of the keystore; without a key, one observer. */
  readonly voters: readonly Voter[];
  readonly keys: readonly KeyPair[];
  readonly lineage: Lineage;
  /** Null unless all voters of the set are here. */
  readonly delayRule: DelayRule | null;
  /** Its pending changes follow the chain; another set means another session. */
  set: AuthoritySet;
};

const findLeaves = ({ chain }: Pick<VotingDeps, 'chain'>): BlockRef[] => {
  const all = chain.unfinalized();
  const parents = new Set<BlockHash>(all.map(({ parent }) => parent));
  return all.filter(({ hash }) => !parents.has(hash));
};

/** Names the record of an observer, which has no key. */
const noKey = new Uint8Array();

/**
 * Starts the voters of the current set's keys that the node has, or an observer if it has none. Null if the chain has
 * no set, and while a forced change waits to take effect: the old set has stalled, and its votes no longer count
 * (sc-consensus-grandpa `VoterCommand::Pause`).
 */
export const openSession = async (
  deps: SessionDeps,
  isMoved: boolean,
  onDoubleVote: (setId: bigint, found: DoubleVote) => void,
): Promise<Session | null> => {
  const { chain, grandpa } = deps;
  const set = await grandpa.loadSet(chain.view);
  if (set === null || isPaused(set)) return null;
  const keys = findOwnKeys(deps, set);
  const { setId, authorities } = set;
  const members = keys.length === 0 ? [null] : keys;
  const stores = members.map((key) => createStore(deps.db, key?.publicKey ?? noKey));
  const module = await loadMachineModule();
  const crypto = await loadProofCrypto(deps.crypto, authorities.length);
  const records = await loadRecords(chain, stores, setId, isMoved);
  const lineage = createLineage();
  for (const { last } of records) await fillLineage(deps, lineage, last.base);
  const isWhole = keys.length === authorities.length;
  const wakeAll = (): void => {
    for (const voter of session.voters) voter.wake();
  };
  const delayRule = isWhole ? createDelayRule(deps, wakeAll) : null;
  const best = delayRule?.newest ?? chain.best;
  const changeHeight = changeHeightOf(deps, () => session.set);
  const view = { lineage, best, leaves: () => findLeaves(deps), changeHeight, isRuled: !isWhole };
  const finalize = createFinalizer(deps);
  const gossips = connectSiblings(deps.gossip, members.length);
  const open = (key: KeyPair | null, index: number): Voter =>
    startVoter(
      {
        ...deps,
        module,
        crypto,
        lineage,
        gossip: gossips[index] as Gossip,
        // Only the first one has peers on other nodes.
        peers: index === 0 ? deps.gossip.views : createPeerViews(),
        finalized: chain.finalized,
        bestOn: (base) => chooseTarget(view, base),
        isIdle: () => isWhole && best().number <= chain.finalized().number,
        persist: (stores[index] as (typeof stores)[number]).save,
        finalize,
        // Its siblings see the same votes.
        onDoubleVote: (found) => {
          if (index === 0) onDoubleVote(setId, found);
        },
      },
      {
        setId,
        authorities,
        key,
        gossipMs: deps.gossipMs ?? (isWhole ? ownGossipMs : defaultGossipMs),
        neighborMs: isWhole || index > 0 ? null : neighborMs,
      },
      records[index] as VoterRecord,
    );
  const voters: Voter[] = [];
  const session: Session = { voters, keys, lineage, delayRule, set };
  voters.push(...members.map(open));
  return session;
};

/** Blocks below the base of the last round are not asked for any more. */
export const follow = ({ voters, lineage, delayRule }: Session, event: ChainEvent): void => {
  if (event.kind === 'imported') {
    const { hash, number, header } = event;
    lineage.add({ hash, number, parent: bytesToBlockHash(header.parentHash) });
  }
  if (event.kind === 'finalized')
    lineage.forgetBelow(Math.min(...voters.map((voter) => voter.record().last.base.number)));
  delayRule?.follow(event);
};

export const closeSession = async ({ voters, delayRule }: Session): Promise<void> => {
  delayRule?.close();
  await Promise.all(voters.map(({ close }) => close()));
};

/** Whether a session no longer fits the set and the keys, or one of its voters has ended by itself. */
export const isStale = (
  deps: Pick<VotingDeps, 'keystore'>,
  session: Session,
  set: AuthoritySet | null,
): boolean => {
  if (set === null || isPaused(set) || set.setId !== session.set.setId) return true;
  if (session.voters.some((voter) => voter.isOver())) return true;
  const keys = findOwnKeys(deps, set);
  return (
    keys.length !== session.keys.length ||
    keys.some(({ publicKey }, index) => !equalBytes(publicKey, (session.keys[index] as KeyPair).publicKey))
  );
};
