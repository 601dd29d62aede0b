import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Batch } from '../db/database.ts';
import {
  type Equivocation,
  encodeEvidence,
  evidenceKey,
  type KeptEquivocation,
} from './equivocation-records.ts';

/** A header whose claim and seal were verified. */
type Seen = {
  readonly engine: Equivocation['engine'];
  readonly slot: bigint;
  readonly author: Uint8Array;
  readonly hash: BlockHash;
  readonly header: Header;
};

/** How many slots are remembered, and the maximum age of a slot (sc-consensus-slots `MAX_SLOT_CAPACITY`). */
const maxSlots = 1000;
/** Maximum number of equivocations kept as evidence. */
const maxFound = 64;

const idOf = (engine: string, slot: bigint, author: Uint8Array): string =>
  `${engine} ${slot} ${bytesToKey(author)}`;

/**
 * Detects authors who seal two blocks in a slot, once each (sc-consensus-slots `check_equivocation`).
 * Remembers one header per slot and author, so that memory is bounded by slots and authorities, however many
 * blocks are sealed. `kept` is evidence from earlier runs; `write` stores new evidence.
 */
export const createEquivocations = (
  kept: readonly KeptEquivocation[] = [],
  write: (batch: Batch) => void = () => undefined,
) => {
  const slots = createBoundedMap<string, Map<string, { hash: BlockHash; header: Header; told: boolean }>>(
    maxSlots,
  );
  const evidence = [...kept];
  const before = new Set(kept.map(({ found }) => idOf(found.engine, found.slot, found.offender)));
  const listeners: ((found: Equivocation) => void)[] = [];
  const keep = (found: Equivocation): void => {
    const next = { number: (evidence.at(-1)?.number ?? 0) + 1, found };
    evidence.push(next);
    const over = evidence.splice(0, evidence.length - maxFound);
    write({
      puts: [['auxiliary', evidenceKey(next), encodeEvidence(found)]],
      deletes: over.map((old) => ['auxiliary', evidenceKey(old)]),
    });
  };
  const note = ({ engine, slot, author, hash, header }: Seen, slotNow: bigint): void => {
    if (slotNow > slot + BigInt(maxSlots)) return;
    const key = `${engine} ${slot}`;
    const seen = slots.get(key) ?? new Map();
    if (seen.size === 0) slots.keep(key, seen);
    const earlier = seen.get(bytesToKey(author));
    if (earlier === undefined)
      seen.set(bytesToKey(author), { hash, header, told: before.has(idOf(engine, slot, author)) });
    if (earlier === undefined || earlier.told || earlier.hash === hash) return;
    earlier.told = true;
    const found = { engine, slot, offender: author, first: earlier.header, second: header };
    keep(found);
    for (const listener of listeners) listener(found);
  };
  return {
    note,
    /** Called when a chain goes back in time, after which its slots are available again. */
    forget: (): void => {
      slots.clear();
      before.clear();
    },
    /** The most recent ones, oldest first. */
    list: (): readonly Equivocation[] => evidence.map(({ found }) => found),
    onFound: (listener: (found: Equivocation) => void): void => void listeners.push(listener),
  };
};

export type Equivocations = ReturnType<typeof createEquivocations>;
