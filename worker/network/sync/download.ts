import type { BlockRef } from '../../chain/tree.ts';
import type { Downloaded } from './response.ts';

/** Heights that are requested at once, both included. */
export type Range = { readonly first: number; readonly last: number };

type Held = Range & {
  /** Who was asked; null: nobody yet. */
  peer: string | null;
  blocks: readonly Downloaded[] | null;
};

/** The blocks of one chain above a known one: requested from several peers, and taken in order. */
export type Download = {
  /** The peer whose chain it is. */
  readonly targetPeer: string;
  /** Aims at a later block of the target peer. */
  extend(target: number): void;
  /** The next heights to request from a peer that has blocks up to `best`; null if there are none for it. */
  next(peer: string, best: number, most: number): Range | null;
  /** The response of a peer. */
  received(range: Range, blocks: readonly Downloaded[]): void;
  /** The peer did not respond, or not well: others are asked. */
  release(peer: string): void;
  /** Blocks that follow those taken before, up to the first that is missing. */
  take(): Downloaded[];
  /** How many blocks are under way or held. */
  count(): number;
  heldBytes(): number;
  /** What was taken is another fork than the target peer's: those who have sent it are not asked for that one again. */
  distrust(): void;
  /** Whether everything up to the target was taken. */
  isDone(): boolean;
  /** Whether the target peer itself has sent blocks that do not follow those taken: its chain is another one now. */
  isBroken(): boolean;
};

/** The peer whose chain it is, and those that turned out to follow another fork: they are not asked for it. */
export type TargetPeer = { readonly id: string; readonly onOtherFork: Set<string> };

export const createDownload = (
  { id: targetPeer, onOtherFork }: TargetPeer,
  base: BlockRef,
  firstTarget: number,
): Download => {
  let tail = base;
  let target = firstTarget;
  /** Ascending, without gaps, from the first block that was not taken. */
  let ranges: Held[] = [];
  let isBroken = false;
  /** Who has sent the blocks that were taken. */
  const senders = new Set<string>();
  const endOf = (): number => ranges.at(-1)?.last ?? tail.number;
  const find = ({ first }: Range): Held | undefined => ranges.find((one) => one.first === first);
  const ask = (range: Held, peer: string): Range => {
    range.peer = peer;
    return { first: range.first, last: range.last };
  };
  const free = (range: Held): void => {
    range.peer = null;
    range.blocks = null;
  };
  return {
    targetPeer,
    extend: (next) => {
      target = Math.max(target, next);
    },
    next: (peer, best, most) => {
      if (onOtherFork.has(peer)) return null;
      const open = ranges.find((range) => range.peer === null && range.last <= best);
      if (open !== undefined) return ask(open, peer);
      const first = endOf() + 1;
      const last = Math.min(target, first + most - 1);
      if (first > last || last > best) return null;
      const range: Held = { first, last, peer, blocks: null };
      ranges.push(range);
      return ask(range, peer);
    },
    received: (given, blocks) => {
      const range = find(given);
      const last = blocks.at(-1)?.number;
      // It was released meanwhile, and may be under way from somebody else.
      if (range === undefined || range.blocks !== null || last === undefined || last > range.last) return;
      const rest: Held[] =
        last < range.last ? [{ first: last + 1, last: range.last, peer: null, blocks: null }] : [];
      const held: Held = { ...range, last, blocks };
      ranges = ranges.flatMap((one) => (one === range ? [held, ...rest] : [one]));
    },
    release: (peer) => {
      for (const range of ranges) if (range.peer === peer && range.blocks === null) free(range);
    },
    take: () => {
      const taken: Downloaded[] = [];
      for (let range = ranges[0]; range?.blocks; range = ranges[0]) {
        if (range.blocks[0]?.parent !== tail.hash) {
          isBroken ||= range.peer === targetPeer;
          if (range.peer !== targetPeer) onOtherFork.add(range.peer as string);
          free(range);
          break;
        }
        for (const block of range.blocks) taken.push(block);
        senders.add(range.peer as string);
        tail = range.blocks.at(-1) as Downloaded;
        ranges.shift();
      }
      return taken;
    },
    distrust: () => {
      for (const peer of senders) if (peer !== targetPeer) onOtherFork.add(peer);
    },
    count: () => ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0),
    heldBytes: () =>
      ranges.reduce((sum, { blocks }) => sum + (blocks?.reduce((all, { bytes }) => all + bytes, 0) ?? 0), 0),
    isDone: () => tail.number >= target,
    isBroken: () => isBroken,
  };
};
