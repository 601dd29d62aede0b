import type { AppendBody } from './append.ts';

/** One key of one trie. It exists as long as the overlay; a rollback restores its fields. */
export type Entry = {
  readonly key: Uint8Array;
  /** Null = deleted; undefined = never written, or appended and not flattened. */
  value: Uint8Array | null | undefined;
  /** Appended items. `length` and `count` say how much of it is valid. */
  body: AppendBody | null;
  length: number;
  count: number;
  /** The layer that wrote last. */
  depth: number;
  /** The committed value; undefined if it has not been read. */
  below: Uint8Array | null | undefined;
  isIndexed: boolean;
};

/** Whether the overlay has written the key. */
export const isLive = (entry: Entry): boolean => entry.body !== null || entry.value !== undefined;

type Saved = {
  readonly entry: Entry;
  readonly value: Uint8Array | null | undefined;
  readonly body: AppendBody | null;
  readonly length: number;
  readonly count: number;
  readonly depth: number;
};

/**
 * The open transactions, as undo lists. Reads never search layers, and a rollback costs as much as was
 * written.
 */
export type Layers = {
  depth(): number;
  /** Changes with every write and rollback. */
  revision(): number;
  /** Call this before changing an entry. */
  touch(entry: Entry): void;
  start(): void;
  rollback(): boolean;
  commit(): boolean;
  /** Grows with each rollback that leaves entries as if they had never been written. */
  undone(): number;
  /** Counts work that the operation's input does not explain, such as skipped entries: `Overlay.steps`. */
  count(steps: number): void;
  steps(): number;
};

export const createLayers = (): Layers => {
  const undoLists: Saved[][] = [];
  let revision = 0;
  let undone = 0;
  let steps = 0;
  return {
    depth: () => undoLists.length,
    revision: () => revision,
    undone: () => undone,
    touch: (entry) => {
      revision++;
      const depth = undoLists.length;
      if (entry.depth >= depth) return;
      const { value, body, length, count } = entry;
      (undoLists[depth - 1] as Saved[]).push({ entry, value, body, length, count, depth: entry.depth });
      entry.depth = depth;
    },
    start: () => void undoLists.push([]),
    rollback: () => {
      const undo = undoLists.pop();
      if (undo === undefined) return false;
      if (undo.length > 0) revision++;
      for (const { entry, value, body, length, count, depth } of undo) {
        entry.value = value;
        entry.body = body;
        entry.length = length;
        entry.count = count;
        entry.depth = depth;
        if (!isLive(entry)) undone++;
      }
      return true;
    },
    commit: () => {
      const undo = undoLists.pop();
      if (undo === undefined) return false;
      const depth = undoLists.length;
      const outer = undoLists[depth - 1];
      steps += undo.length;
      for (const saved of undo) {
        saved.entry.depth = depth;
        if (saved.depth < depth) outer?.push(saved);
      }
      return true;
    },
    count: (more) => {
      steps += more;
    },
    steps: () => steps,
  };
};
