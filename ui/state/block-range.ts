import { writeJson } from '../../src/protocol/json.ts';
import type { Answer, UiNode } from '../client/ui-node.ts';

/** A header as returned by JSON-RPC. */
export type HeaderJson = NonNullable<Answer<'chain_getHeader'>>;

/** One block of the list. */
export type BlockItem = {
  readonly hash: string;
  readonly number: number;
  readonly header: HeaderJson;
  readonly extrinsics: readonly string[];
  /** Whether it arrived while the list was shown; it then glows once. */
  readonly fresh: boolean;
};

export const pageSize = 40;
const keptBlocks = 10_000;

/**
 * Whether two headers belong to the same block: the hash covers nothing else, and notifications do not
 * contain it.
 */
export const isSameHeader = (one: HeaderJson, other: HeaderJson): boolean =>
  writeJson(one) === writeJson(other);

/** Loads a block; null if the node does not have it. */
export const loadItem = async (node: UiNode, hash: string, fresh = false): Promise<BlockItem | null> => {
  const signed = await node.request('chain_getBlock', [hash]);
  if (signed === null) return null;
  const { header, extrinsics } = signed.block;
  return { hash, number: Number(header.number), header, extrinsics, fresh };
};

/**
 * Canonical blocks from `high` down to `low`; listed blocks are reused, so that their rows do not flicker.
 */
export const loadRange = async (
  node: UiNode,
  blocks: readonly BlockItem[],
  { high, low, fresh }: { readonly high: number; readonly low: number; readonly fresh: boolean },
): Promise<readonly BlockItem[]> => {
  const numbers = Array.from({ length: high - low + 1 }, (_, index) => high - index);
  const hashes = [await node.request('chain_getBlockHash', [numbers])].flat();
  const known = new Map(blocks.map((block) => [block.hash, block]));
  const items = await Promise.all(
    hashes.map((hash) => (hash === null ? null : (known.get(hash) ?? loadItem(node, hash, fresh)))),
  );
  return items.filter((item) => item !== null);
};

/** Appends `below` to the list if it continues from the last block; otherwise returns the list unchanged. */
export const joinBelow = (blocks: readonly BlockItem[], below: readonly BlockItem[]): readonly BlockItem[] =>
  below[0] !== undefined && blocks.at(-1)?.header.parentHash === below[0].hash
    ? [...blocks, ...below]
    : blocks;

/** Extends the list to the canonical block of this number. */
export const extendTo = async (
  node: UiNode,
  blocks: readonly BlockItem[],
  number: number,
  fresh: boolean,
): Promise<readonly BlockItem[]> => {
  const low = Math.max(0, number - pageSize + 1);
  const top = blocks[0];
  // If the newest listed block is still on the best chain, so are all blocks below it.
  const near =
    top !== undefined && top.number >= low && top.number < number
      ? await loadRange(node, blocks, { high: number, low: top.number, fresh })
      : [];
  const isNear = top !== undefined && near.at(-1)?.hash === top.hash;
  const recent = isNear ? near : await loadRange(node, blocks, { high: number, low, fresh });
  const floor = recent.at(-1)?.number ?? 0;
  // A reorganization may reach below the blocks that were read.
  const below = blocks.filter((block) => block.number < floor);
  return joinBelow(recent, below).slice(0, keptBlocks);
};
