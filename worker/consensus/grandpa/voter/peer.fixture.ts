import { bytesToKey } from '../../../bytes/bytes.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import { createPeerViews, type Gossip } from './gossip.ts';
import { type BlockLink, createLineage } from './lineage.ts';
import { continueRecord, decodeRecord, encodeRecord, type VoterRecord } from './record.ts';
import { chooseTarget } from './targets.ts';
import { startVoter, type Voter } from './voter.ts';

/** A short stand-in for ed25519: the key, then a checksum of the message. Nobody forges another's here. */
const checksum = (publicKey: Uint8Array, message: Uint8Array): Uint8Array => {
  const out = new Uint8Array(64);
  out.set(publicKey);
  let sum = 0x811c_9dc5;
  for (const byte of message) sum = Math.imul(sum ^ byte, 0x0100_0193) >>> 0;
  new DataView(out.buffer).setUint32(32, sum, true);
  return out;
};

export const simpleCrypto = {
  ed25519Sign: (secret: Uint8Array, message: Uint8Array): Uint8Array => checksum(secret, message),
  ed25519Verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean =>
    bytesToKey(signature) === bytesToKey(checksum(publicKey, message)),
};

export const keyOf = (index: number): Uint8Array => new Uint8Array(32).fill(index + 1);

/** What a peer needs of the simulated world. */
export type World = {
  readonly module: WebAssembly.Module;
  readonly genesis: BlockLink;
  readonly voters: number;
  readonly gossipMs: number;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  /** Resolves after a while, or never if the peer has crashed. */
  disk(index: number): Promise<void>;
  link(index: number): Gossip;
  onFinal(index: number, block: BlockRef): void;
  onError(index: number, error: unknown): void;
  /** Alters a rule, to see the simulation find it. */
  readonly altered?: 'forgets-votes' | 'trusts-signatures' | 'ignores-base' | undefined;
};

/** The blocks that a peer knows, and the heads it follows. */
const createPeerChain = (genesis: BlockLink) => {
  const lineage = createLineage();
  lineage.add(genesis);
  const parents = new Set<BlockHash>();
  const known: BlockLink[] = [genesis];
  let finalized: BlockLink = genesis;
  let best: BlockLink = genesis;
  const leaves = (): BlockLink[] => known.filter(({ hash }) => !parents.has(hash));
  const choose = (): void => {
    for (const leaf of leaves())
      if (leaf.number > best.number && lineage.isOnOrAbove(leaf.hash, finalized.hash)) best = leaf;
  };
  return {
    lineage,
    leaves,
    /** The last blocks that arrived, on all forks. */
    recent: () => known.slice(-5),
    best: () => best,
    finalized: () => finalized,
    add: (block: BlockLink): boolean => {
      if (lineage.get(block.hash) !== null || lineage.get(block.parent) === null) return false;
      lineage.add(block);
      known.push(block);
      parents.add(block.parent);
      choose();
      return true;
    },
    finalize: (hash: BlockHash): void => {
      const block = lineage.get(hash);
      if (block === null || block.number <= finalized.number) return;
      finalized = block;
      if (!lineage.isOnOrAbove(best.hash, hash)) best = block;
      choose();
    },
  };
};

/** A voter over the real code, with a chain and a disk that outlive its crashes. */
export const createPeer = (world: World, index: number) => {
  const chain = createPeerChain(world.genesis);
  let disk: Uint8Array | null = null;
  let voter: Voter | null = null;
  const authorities = Array.from({ length: world.voters }, (_, one) => ({
    publicKey: keyOf(one),
    weight: 1n,
  }));
  const view = {
    ...chain,
    changeHeight: () => null,
    isRuled: false,
  };
  const persist = async (record: VoterRecord): Promise<void> => {
    await world.disk(index);
    const kept = world.altered === 'forgets-votes' ? { ...record, own: [] } : record;
    disk = encodeRecord(kept);
  };
  const start = (): void => {
    const stored = disk === null ? null : decodeRecord(disk);
    const record = continueRecord(stored, 0n, chain.finalized());
    voter = startVoter(
      {
        module: world.module,
        crypto:
          world.altered === 'trusts-signatures'
            ? { ...simpleCrypto, ed25519Verify: () => true }
            : simpleCrypto,
        lineage: chain.lineage,
        bestOn: (base) =>
          world.altered === 'ignores-base' ? (chain.recent().at(-1) as BlockLink) : chooseTarget(view, base),
        finalized: chain.finalized,
        isIdle: () => false,
        gossip: world.link(index),
        peers: createPeerViews(),
        now: world.now,
        schedule: world.schedule,
        persist,
        finalize: async (_round, { target }) => {
          await world.disk(index);
          chain.finalize(target.hash);
          world.onFinal(index, target);
        },
        onDoubleVote: () => undefined,
        onError: (error) => world.onError(index, error),
      },
      {
        setId: 0n,
        authorities,
        key: { publicKey: keyOf(index), secret: keyOf(index) },
        gossipMs: world.gossipMs,
        neighborMs: 10 * world.gossipMs,
      },
      record,
    );
  };
  return {
    index,
    chain,
    start,
    isUp: () => voter !== null,
    /** Stops at once; what was not on disk is lost. */
    crash: (): void => {
      void voter?.close();
      voter = null;
    },
    import: (block: BlockLink): boolean => {
      const isNew = chain.add(block);
      if (isNew) voter?.wake();
      return isNew;
    },
  };
};

export type Peer = ReturnType<typeof createPeer>;
