import { groupDigits } from '../../kit/text/format.ts';
import type { UiNode } from '../../node/client/ui-node.ts';

/** A block whose state has another value than its parent's. */
export type ValueChange = {
  readonly block: string;
  readonly number: number;
  readonly key: string;
  readonly after: { readonly hex: string | null };
};

/** The changes of a value in the blocks above `from`, up to `newest`, oldest first. */
export type HistoryWindow = {
  readonly key: string;
  readonly from: number;
  readonly newest: number;
  readonly isLast: boolean;
  readonly changes: readonly ValueChange[];
  /** The value in the newest block. */
  readonly hex: string | null;
  /** The blocks by number, from `from` on. */
  readonly hashes: ReadonlyMap<number, string>;
};

/** What to read. */
export type HistoryRequest = {
  readonly key: string;
  readonly newest: number;
  /** Whether the window ends at the best block. */
  readonly isLast: boolean;
  /** The oldest block whose state is certainly kept. */
  readonly floor: number;
  /** The latest change that the node has reported, and its block: an edit changes the state of the best block. */
  readonly live: { readonly hex: string | null; readonly block: string } | null;
};

/** Number of blocks in a window. */
export const historySpan = 120;

const rangeOf = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * Reads the history of a value with two requests: for the hashes of the blocks, and for the values that differ. At a new
 * best block, only the new blocks are read.
 */
export class ValueHistory {
  #rpc: UiNode['rpc'];
  #last: HistoryWindow | null = null;

  constructor({ rpc }: Pick<UiNode, 'rpc'>) {
    this.#rpc = rpc;
  }

  /** Rejects with the node's errors. */
  async read(of: HistoryRequest, signal: AbortSignal): Promise<HistoryWindow> {
    const known = this.#last;
    const next =
      (known !== null && (await this.#extend(known, of, signal))) ||
      (await this.#readFrom(
        Math.min(of.newest, Math.max(of.floor, of.newest - historySpan)),
        of,
        null,
        signal,
      ));
    if (next === null) throw new Error(`This node has no block #${groupDigits(of.newest)}.`);
    if (!signal.aborted) this.#last = next;
    return next;
  }

  /** Null if nothing of the known window can be used, such as after a reorganization. */
  async #extend(
    known: HistoryWindow,
    of: HistoryRequest,
    signal: AbortSignal,
  ): Promise<HistoryWindow | null> {
    const { newest } = known;
    const isSame = known.key === of.key && known.isLast && of.isLast;
    if (!isSame || of.newest < newest || of.newest - newest >= historySpan) return null;
    if (of.newest === newest && !isEdited(known, of)) return known;
    // The newest block is read again, because its state may have been edited in the meantime.
    const base = newest - 1;
    return base < known.from ? null : this.#readFrom(base, of, known, signal);
  }

  /** Reads the blocks from `base` on; null if the block there is not the known one, or if one is missing. */
  async #readFrom(
    base: number,
    { key, newest, isLast, floor }: HistoryRequest,
    known: HistoryWindow | null,
    signal: AbortSignal,
  ): Promise<HistoryWindow | null> {
    const numbers = rangeOf(base, newest);
    const found = [await this.#rpc.chain_getBlockHash({ hash: [...numbers] }, { signal })].flat();
    const hashes = found.filter((hash) => hash !== null);
    const [block, hash] = [hashes[0], hashes.at(-1)];
    if (block === undefined || hash === undefined || hashes.length < numbers.length) return null;
    if (known !== null && known.hashes.get(base) !== block) return null;
    const sets = await this.#rpc.state_queryStorage({ keys: [key], block, hash }, { signal });
    const numberOf = new Map(hashes.map((one, index) => [one, base + index]));
    const before = known?.changes ?? [];
    const added = sets.slice(1).map((set): ValueChange => {
      const { 1: hex = null } = set.changes[0] ?? [];
      const same = before.find((one) => one.block === set.block && one.after.hex === hex);
      return same ?? { block: set.block, number: numberOf.get(set.block) ?? newest, key, after: { hex } };
    });
    const from = known === null ? base : Math.min(newest, Math.max(floor, known.from, newest - historySpan));
    const kept = new Map([
      ...[...(known?.hashes ?? [])].filter(([number]) => number >= from && number < base),
      ...hashes.map((one, index) => [base + index, one] as const),
    ]);
    const changes = [...before.filter(({ number }) => number <= base), ...added];
    return {
      ...{ key, from, newest, isLast, hashes: kept },
      changes: changes.filter(({ number }) => number > from),
      hex: sets.at(-1)?.changes[0]?.[1] ?? null,
    };
  }
}

/** Whether the node has reported another value of the newest block. */
const isEdited = ({ hashes, newest, hex }: HistoryWindow, { live }: HistoryRequest): boolean =>
  live !== null && live.block === hashes.get(newest) && live.hex !== hex;
