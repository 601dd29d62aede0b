import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import { hashHeader } from '../chain/hashes.ts';
import type { BlockHash } from '../codec/identity.ts';
import { findJustification } from '../codec/justification.ts';
import type { SignedBlock } from '../codec/signed-block.ts';
import { grandpaEngine } from '../consensus/grandpa/codec.ts';
import type { Grandpa } from '../consensus/grandpa/grandpa.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { costs, type Peer } from './peers.ts';
import { findRequested, type RequestDeps, requestBlocks } from './serve.ts';
import type { LinkMessage } from './wire.ts';

export type ExchangeDeps = {
  readonly chain: Pick<
    Chain,
    | 'best'
    | 'finalize'
    | 'finalized'
    | 'base'
    | 'import'
    | 'loadBlock'
    | 'loadBlocks'
    | 'loadHashAt'
    | 'loadHashesAt'
    | 'loadHeader'
    | 'onEvent'
    | 'view'
  >;
  readonly grandpa: Pick<Grandpa, 'authoritySet'>;
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  /** Whether the node is far behind its peers, so that what it imports is old. */
  readonly isSyncing: () => boolean;
};

type Deps = ExchangeDeps & RequestDeps;

/** Proofs of earlier set changes that are sent at once. Their receiver then asks for more by its status. */
const maxProofs = 64;

/** Refusals that say nothing about the peer: our clock may be wrong, and our queue full. */
const innocent: ReadonlySet<string> = new Set(['UnknownParent', 'FutureBlock', 'QueueFull', 'Aborted']);

/** Blocks above finality that were left when the head was moved are stored, but not known. */
const isKnown = async ({ chain }: Deps, hash: BlockHash): Promise<boolean> => {
  if (chain.view.tree.get(hash) !== null) return true;
  const header = await chain.loadHeader(hash);
  return header !== null && header.number <= chain.finalized().number;
};

export const statusOf = ({ chain }: ExchangeDeps): LinkMessage => {
  const { hash, number } = chain.best();
  const finalized = chain.finalized();
  return {
    type: 'status',
    // Two forks of one live chain are different chains.
    genesis: chain.base.hash,
    best: { hash, number },
    finalized: { hash: finalized.hash, number: finalized.number },
  };
};

/**
 * Imports a block like any other of a network. Returns the code with which it was refused, or null. A bad proof
 * that came with a good block costs as much as one that came alone.
 */
const take = async (
  deps: Deps,
  peer: Peer,
  { justifications, ...block }: SignedBlock,
): Promise<string | null> => {
  const origin = deps.isSyncing() ? 'sync' : 'announced';
  const result = await deps.chain.import(block, { justifications, origin });
  if (result.ok) {
    if (result.badJustification !== undefined) deps.peers.rate(peer.name, costs.badProof);
    return null;
  }
  if (!innocent.has(result.code)) deps.peers.rate(peer.name, costs.badBlock);
  return result.code;
};

const onBlock = async (deps: Deps, peer: Peer, block: SignedBlock): Promise<void> => {
  const hash = hashHeader(deps.crypto, block.header);
  peer.seen.keep(hash, true);
  peer.best = { hash, number: block.header.number };
  if (await isKnown(deps, hash)) return;
  if ((await take(deps, peer, block)) === 'UnknownParent') await requestBlocks(deps, peer, hash);
};

/** Imports requested blocks up to the first that is refused. Returns the number of those that were not known. */
const takeAll = async (deps: Deps, peer: Peer, blocks: readonly SignedBlock[]): Promise<number> => {
  let fresh = 0;
  for (const block of blocks) {
    const hash = hashHeader(deps.crypto, block.header);
    peer.seen.keep(hash, true);
    if (await isKnown(deps, hash)) continue;
    if ((await take(deps, peer, block)) !== null) break;
    fresh++;
  }
  return fresh;
};

const onBlocks = async (
  deps: Deps,
  peer: Peer,
  { target, blocks }: Extract<LinkMessage, { type: 'blocks' }>,
): Promise<void> => {
  const { request } = peer;
  if (request?.target !== target) return deps.peers.rate(peer.name, costs.notRequested);
  let isLinked = false;
  let next: BlockHash | null = null;
  let fresh: number;
  try {
    fresh = await takeAll(deps, peer, blocks);
  } finally {
    // The link may have ended meanwhile. If an import failed, the peer's next announcement repeats the request.
    isLinked = peer.request === request;
    if (isLinked) {
      next = peer.next;
      peer.request = peer.next = null;
    }
  }
  if (!isLinked) return;
  const isDone = await isKnown(deps, target);
  // Without progress, the same request would be sent forever.
  if (!isDone && fresh > 0) return requestBlocks(deps, peer, target);
  if (!isDone) deps.peers.rate(peer.name, costs.useless);
  if (next !== null && next !== target && !(await isKnown(deps, next)))
    return requestBlocks(deps, peer, next);
  // The peer may know proofs of these blocks.
  if (isDone) peer.send(statusOf(deps));
};

/**
 * Sends proofs for the blocks that the peer has not finalized: the last block of each set, then the newest, which
 * only the newest set proves.
 */
const sendProofs = async ({ chain, grandpa }: Deps, peer: Peer, from: number): Promise<void> => {
  const set = await grandpa.authoritySet();
  if (set === null) return;
  const ends = set.changes.map(({ last }) => last).filter((last) => last > from);
  const newest = set.justified?.number ?? 0;
  const isAll = ends.length <= maxProofs;
  const heights = new Set([...ends.slice(0, maxProofs), ...(isAll && newest > from ? [newest] : [])]);
  for (const height of heights) {
    const block = await chain.loadHashAt(height);
    const { justifications = null } = (block === null ? null : await chain.loadBlock(block)) ?? {};
    const proof = findJustification(justifications, grandpaEngine);
    if (block !== null && proof !== null) peer.send({ type: 'proof', block, proof });
  }
};

const onStatus = async (
  deps: Deps,
  peer: Peer,
  { genesis, best, finalized }: Extract<LinkMessage, { type: 'status' }>,
): Promise<void> => {
  if (genesis !== deps.chain.base.hash) return deps.peers.rate(peer.name, costs.otherGenesis);
  peer.seen.keep(best.hash, true);
  peer.best = best;
  if (!peer.isReady) {
    deps.peers.welcome(peer);
    // Blocks that became best since the first status were not announced to this peer.
    peer.send(statusOf(deps));
  }
  if (!(await isKnown(deps, best.hash))) await requestBlocks(deps, peer, best.hash);
  if (finalized.number < deps.chain.finalized().number) await sendProofs(deps, peer, finalized.number);
};

const onProof = async (deps: Deps, peer: Peer, block: BlockHash, proof: Uint8Array) => {
  const { chain, peers } = deps;
  const known = chain.view.tree.get(block);
  if (known === null || known.number <= chain.finalized().number) return;
  try {
    await chain.finalize(block, [textToBytes(grandpaEngine), proof]);
    if (++peer.proofs % maxProofs === 0) peer.send(statusOf(deps));
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    if (error.code === 'BadJustification') peers.rate(peer.name, costs.badProof);
  }
};

/** Handles a message. */
export const handle = async (deps: Deps, peer: Peer, message: LinkMessage): Promise<void> => {
  if (message.type === 'status') return onStatus(deps, peer, message);
  if (!peer.isReady) return deps.peers.rate(peer.name, costs.beforeStatus);
  if (message.type === 'block') return onBlock(deps, peer, message.block);
  if (message.type === 'blocks') return onBlocks(deps, peer, message);
  if (message.type === 'proof') return onProof(deps, peer, message.block, message.proof);
  if (message.type !== 'request') return;
  const { target, known } = message;
  const blocks = (await findRequested(deps.chain, target, known)) ?? [];
  peer.send({ type: 'blocks', target, blocks });
};

/** Sends new best blocks, and proofs of finality, to peers that have not sent them. */
export const announce = async ({ chain, peers }: Deps, event: ChainEvent): Promise<void> => {
  if (event.kind === 'finalized' && event.proof !== null)
    for (const peer of peers.ready()) peer.send({ type: 'proof', block: event.hash, proof: event.proof });
  if (event.kind !== 'imported' || !event.isBest || event.origin === 'sync') return;
  const receivers = peers.ready().filter(({ seen }) => !seen.has(event.hash));
  if (receivers.length === 0) return;
  const block = await chain.loadBlock(event.hash);
  if (block === null) return;
  for (const peer of receivers) {
    peer.seen.keep(event.hash, true);
    peer.send({ type: 'block', block });
  }
};
