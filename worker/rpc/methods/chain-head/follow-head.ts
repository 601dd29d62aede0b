import { maxLag } from '../../../../src/protocol/limits.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import { type ChainEvent, movesBest } from '../../../chain/events.ts';
import { type BlockHash, bytesToBlockHash } from '../../../codec/identity.ts';
import type { RuntimeVersion } from '../../../codec/runtime-version.ts';
import { followInOrder } from '../../connection/ordered-events.ts';
import type { RpcParts } from '../../parts.ts';
import { isSameVersion } from '../state/state-feeds.ts';
import type { Follow, Follows } from './follows.ts';

type Chain = RpcParts['chain'];

/** Number of finalized blocks reported when a follow starts. */
const maxFinalized = 16;

/** Unlike in the older methods, `apis` is a map, in the order of its keys. */
const versionToJson = (version: RuntimeVersion) => ({
  specName: version.specName,
  implName: version.implName,
  specVersion: version.specVersion,
  implVersion: version.implVersion,
  apis: Object.fromEntries(
    version.apis
      .map(([id, number]) => [bytesToHex(id), number] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
  transactionVersion: version.transactionVersion,
});

/** The runtime of a block; null if it equals its parent's. */
const runtimeOf = async (chain: Chain, hash: BlockHash, parent: BlockHash | null) => {
  try {
    const { version } = await chain.runtimeAt(hash);
    const before = parent === null ? null : (await chain.runtimeAt(parent)).version;
    const isSame = before === version || (before !== null && isSameVersion(before, version));
    return isSame ? null : { type: 'valid', spec: versionToJson(version) };
  } catch (error) {
    return { type: 'invalid', error: `Api error: ${error instanceof Error ? error.message : error}` };
  }
};

type TreeBlock = ReturnType<Chain['unfinalized']>[number];

/** A tree's blocks by hash, and its leaves in the SDK's order: highest first, then by age. */
const branchesOf = (blocks: readonly TreeBlock[]) => {
  const parents = new Set(blocks.map(({ parent }) => parent));
  const leaves = blocks.filter(({ hash }) => !parents.has(hash)).sort((a, b) => b.number - a.number);
  return { leaves, byHash: new Map(blocks.map((block) => [block.hash, block])) };
};

/** Pairs of block and parent for each block above the finalized one, along each branch, longest first. */
const blocksAbove = (blocks: readonly TreeBlock[], finalized: BlockHash): [BlockHash, BlockHash][] => {
  const { leaves, byHash } = branchesOf(blocks);
  const seen = new Set<BlockHash>([finalized]);
  return leaves.flatMap((leaf) => {
    const branch: [BlockHash, BlockHash][] = [];
    for (let block = leaf; !seen.has(block.hash); block = byHash.get(block.parent) as TreeBlock) {
      seen.add(block.hash);
      branch.push([block.hash, block.parent]);
    }
    return branch.reverse();
  });
};

/** Pins the last finalized blocks down from this one, which is pinned already. Returns them, oldest first. */
const pinFinalized = async (chain: Chain, follow: Follow, finalized: BlockHash): Promise<BlockHash[]> => {
  const hashes = [finalized];
  let header = await chain.loadHeader(finalized);
  // Blocks below the base of a fork are on the live chain, which may be slow or out of reach.
  while (header !== null && header.number > chain.base.number && hashes.length < maxFinalized) {
    const parent = bytesToBlockHash(header.parentHash);
    header = await chain.loadHeader(parent);
    // As in the SDK, blocks are reported down to the first one that cannot be pinned.
    if (header === null || !(await chain.isStateKept(parent))) break;
    follow.pin({ hash: parent, number: header.number });
    hashes.unshift(parent);
  }
  return hashes;
};

/** Reports the current chain to a follow, and then its changes. Returns a function that ends it. */
export const followHead = (
  parts: Pick<RpcParts, 'chain' | 'onError'>,
  follow: Follow,
  follows: Pick<Follows, 'stopAll'>,
): (() => void) => {
  const { chain } = parts;
  const { withRuntime, emit } = follow;
  const finalized = chain.finalized();
  const best = chain.best().hash;
  const blocks = chain.unfinalized();
  const above = blocksAbove(blocks, finalized.hash);

  const emitBlock = async (blockHash: BlockHash, parentBlockHash: BlockHash): Promise<void> =>
    emit({
      event: 'newBlock',
      blockHash,
      parentBlockHash,
      newRuntime: await runtimeOf(chain, blockHash, parentBlockHash),
    });
  const emitNew = (blockHash: BlockHash, parentBlockHash: BlockHash): Promise<void> | undefined =>
    withRuntime
      ? emitBlock(blockHash, parentBlockHash)
      : void emit({ event: 'newBlock', blockHash, parentBlockHash });
  const emitBest = (bestBlockHash: BlockHash): void => emit({ event: 'bestBlockChanged', bestBlockHash });

  const introduce = async (): Promise<void> => {
    const finalizedBlockHashes = await pinFinalized(chain, follow, finalized.hash);
    const runtime = withRuntime
      ? { finalizedBlockRuntime: await runtimeOf(chain, finalized.hash, null) }
      : {};
    emit({ event: 'initialized', finalizedBlockHashes, ...runtime });
    for (const [hash, parent] of above) await emitNew(hash, parent);
    emitBest(best);
  };
  /** A follow that cannot be introduced would never report anything. */
  const begin = (): Promise<void> =>
    introduce().catch((error: unknown) => {
      follow.stop();
      throw error;
    });

  const handle = (event: ChainEvent): Promise<void> | undefined => {
    // No event can express a head that moves back, or a state that changes under its hash.
    if (event.kind === 'moved') return void follow.stop();
    if (event.kind === 'imported') {
      const emitted = emitNew(event.hash, bytesToBlockHash(event.header.parentHash));
      if (!event.isBest) return emitted;
      return emitted === undefined ? void emitBest(event.hash) : emitted.then(() => emitBest(event.hash));
    }
    if (movesBest(event)) emitBest(event.hash);
    // The SDK reports pruned blocks in the order of their hashes (sp-blockchain,
    // `displaced_leaves_after_finalizing`).
    const prunedBlockHashes = [...event.pruned].sort();
    emit({ event: 'finalized', finalizedBlockHashes: event.blocks, prunedBlockHashes });
    return undefined;
  };

  // Pins all of them before any can be pruned.
  for (const block of blocks) follow.pin(block);
  if (blocks.some(({ number }) => number - finalized.number > maxLag)) follows.stopAll();
  const unpin = chain.onEvent((event) => {
    if (event.kind === 'imported') follow.pin(event);
  });
  const end = followInOrder(parts, begin, handle, follow.stop);
  return () => {
    unpin();
    end();
    follow.close();
  };
};
