import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';

/** Two blocks of one author in one slot. */
export type Equivocation = {
  readonly engine: 'babe' | 'aura';
  readonly slot: bigint;
  readonly offender: Uint8Array;
  readonly first: Header;
  readonly second: Header;
};

/** A header whose claim and seal were verified. */
type Seen = {
  readonly engine: Equivocation['engine'];
  readonly slot: bigint;
  readonly author: Uint8Array;
  readonly hash: BlockHash;
  readonly header: Header;
};

/** Slots that are remembered, and how far behind the clock one may be (sc-consensus-slots `MAX_SLOT_CAPACITY`). */
const maxSlots = 1000;
/** Kept as evidence. */
const maxFound = 64;

/**
 * Notices who seals two blocks in a slot, each once (sc-consensus-slots `check_equivocation`). Of each slot and author one
 * header is remembered, so that memory is bounded by the slots and their authorities, however many blocks are sealed.
 */
export const createEquivocations = () => {
  const slots = createBoundedMap<string, Map<string, { hash: BlockHash; header: Header; told: boolean }>>(
    maxSlots,
  );
  const found: Equivocation[] = [];
  const listeners: ((found: Equivocation) => void)[] = [];
  const note = ({ engine, slot, author, hash, header }: Seen, slotNow: bigint): void => {
    if (slotNow > slot + BigInt(maxSlots)) return;
    const key = `${engine} ${slot}`;
    const seen = slots.get(key) ?? new Map();
    if (seen.size === 0) slots.keep(key, seen);
    const earlier = seen.get(bytesToKey(author));
    if (earlier === undefined) seen.set(bytesToKey(author), { hash, header, told: false });
    if (earlier === undefined || earlier.told || earlier.hash === hash) return;
    earlier.told = true;
    const equivocation = { engine, slot, offender: author, first: earlier.header, second: header };
    if (found.push(equivocation) > maxFound) found.shift();
    for (const listener of listeners) listener(equivocation);
  };
  return {
    note,
    /** For a chain that goes back to an earlier time: its slots are free again. */
    forget: (): void => slots.clear(),
    /** The last ones, oldest first. */
    list: (): readonly Equivocation[] => found,
    onFound: (listener: (found: Equivocation) => void): void => void listeners.push(listener),
  };
};

export type Equivocations = ReturnType<typeof createEquivocations>;
