import { writeJson } from '../../src/protocol/json.ts';
import { upgradeLog } from '../../src/scale/digest.ts';
import { readShape } from '../kit/text/extrinsic.ts';
import type { Answer, UiNode } from './client/ui-node.ts';

/** A header as returned by JSON-RPC. */
export type HeaderJson = NonNullable<Answer<'chain_getHeader'>>;

/** A block with its body. */
export type BlockItem = {
  readonly hash: string;
  readonly number: number;
  readonly header: HeaderJson;
  readonly extrinsics: readonly string[];
  /** Whether it arrived while the list was shown; it then glows once. */
  readonly fresh: boolean;
};

/** One block of the list. */
export type ListedBlock = Omit<BlockItem, 'extrinsics'> & {
  /** Null for blocks further down than the newest ones, whose bodies are not kept: they may be large. */
  readonly extrinsics: readonly string[] | null;
  /** Of a block without its body, whether it has only inherents, and no runtime upgrade; false for genesis. */
  readonly isEmpty?: boolean;
};

export const pageSize = 40;
const keptBlocks = 10_000;
/** The newest blocks of the list, whose bodies are kept. */
export const keptBodies = 200;

/**
 * Whether two headers belong to the same block: the hash covers nothing else, and notifications do not
 * contain it.
 */
export const isSameHeader = (one: HeaderJson, other: HeaderJson): boolean =>
  writeJson(one) === writeJson(other);

/** Whether a block has only inherents, and no runtime upgrade; false for genesis. */
export const isEmptyBlock = ({ header, extrinsics }: Pick<BlockItem, 'header' | 'extrinsics'>): boolean =>
  Number(header.number) > 0 &&
  !header.digest.logs.includes(upgradeLog) &&
  extrinsics.every((hex) => readShape(hex).kind === 'inherent');

/** Loads a block; null if the node does not have it. */
export const loadItem = async (node: UiNode, hash: string, fresh = false): Promise<BlockItem | null> => {
  const signed = await node.request('chain_getBlock', [hash]);
  if (signed === null) return null;
  const { header, extrinsics } = signed.block;
  return { hash, number: Number(header.number), header, extrinsics, fresh };
};

/** The blocks up to this height: a list has each height down to its last one. */
const upTo = (blocks: readonly ListedBlock[], high: number): readonly ListedBlock[] =>
  blocks.slice(Math.max(0, (blocks[0]?.number ?? high) - high));

/** What is loaded, by height. */
type Range = {
  readonly high: number;
  readonly low: number;
  readonly fresh: boolean;
  /** The hash that the highest block probably has: it is then loaded together with the hashes. */
  readonly likelyHash?: string | undefined;
};

/**
 * Canonical blocks from `high` down to `low`; listed blocks are reused, so that their rows do not flicker.
 */
export const loadRange = async (
  node: UiNode,
  blocks: readonly ListedBlock[],
  { high, low, fresh, likelyHash }: Range,
): Promise<readonly ListedBlock[]> => {
  const likely = likelyHash === undefined ? null : loadItem(node, likelyHash, fresh);
  // Its failure matters only if that is the block.
  likely?.catch(() => undefined);
  const numbers = Array.from({ length: high - low + 1 }, (_, index) => high - index);
  const hashes = [await node.request('chain_getBlockHash', [numbers])].flat();
  const known = new Map(
    upTo(blocks, high)
      .slice(0, numbers.length)
      .map((block) => [block.hash, block]),
  );
  const items = await Promise.all(
    hashes.map((hash) => {
      if (hash === null) return null;
      return known.get(hash) ?? (hash === likelyHash ? likely : loadItem(node, hash, fresh));
    }),
  );
  return items.filter((item) => item !== null);
};

/** The list without the bodies of blocks that are not among the newest; those of `from` to `to` may have one. */
const withoutBodies = (
  blocks: readonly ListedBlock[],
  from: number,
  to = blocks.length,
): readonly ListedBlock[] => {
  const all = [...blocks];
  for (let index = Math.max(keptBodies, from); index < Math.min(to, all.length); index += 1) {
    const { extrinsics = null, ...block } = all[index] ?? {};
    if (extrinsics === null) continue;
    const { header } = block as BlockItem;
    all[index] = {
      ...(block as BlockItem),
      extrinsics: null,
      isEmpty: isEmptyBlock({ header, extrinsics }),
    };
  }
  return all;
};

/** Appends `below` to the list if it continues from the last block; otherwise returns the list unchanged. */
export const joinBelow = (
  blocks: readonly ListedBlock[],
  below: readonly ListedBlock[],
): readonly ListedBlock[] =>
  below[0] !== undefined && blocks.at(-1)?.header.parentHash === below[0].hash
    ? withoutBodies([...blocks, ...below], blocks.length)
    : blocks;

/**
 * Extends the list to the canonical block of the height `high`. On a fork, it begins with the base: blocks below are read
 * from the live chain, which may be slow or out of reach, so they are older blocks that are loaded afterwards.
 */
export const extendTo = async (
  node: UiNode,
  blocks: readonly ListedBlock[],
  { high, ...how }: Omit<Range, 'low'>,
): Promise<readonly ListedBlock[]> => {
  const base = Math.min(node.base()?.number ?? 0, high);
  const low = Math.max(base, high - pageSize + 1);
  const top = blocks[0];
  // If the newest listed block is still on the best chain, so are all blocks below it.
  const near =
    top !== undefined && top.number >= low && top.number < high
      ? await loadRange(node, blocks, { high, low: top.number, ...how })
      : [];
  const isNear = top !== undefined && near.at(-1)?.hash === top.hash;
  const recent = isNear ? near : await loadRange(node, blocks, { high, low, ...how });
  const floor = recent.at(-1)?.number ?? 0;
  // A reorganization may reach below the blocks that were read.
  const all = [...recent, ...upTo(blocks, floor - 1)];
  const isJoined = recent.at(-1)?.header.parentHash === all[recent.length]?.hash;
  // Each block has moved down by as many places as blocks were added.
  return withoutBodies(
    (isJoined ? all : recent).slice(0, keptBlocks),
    keptBodies,
    keptBodies + recent.length,
  );
};
