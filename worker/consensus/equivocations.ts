import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey, concatBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type Header, readHeader, writeHeader } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Batch, Database } from '../db/database.ts';

/** Two blocks of one author in one slot. */
export type Equivocation = {
  readonly engine: 'babe' | 'aura';
  readonly slot: bigint;
  readonly offender: Uint8Array;
  readonly first: Header;
  readonly second: Header;
};

/** Evidence as stored in the auxiliary store. Later finds have higher numbers. */
export type StoredEquivocation = { readonly number: number; readonly found: Equivocation };

const engines = ['babe', 'aura'] as const;
const prefixOf = (engine: Equivocation['engine']): Uint8Array => textToBytes(`${engine} equivocation `);

/** The number as u32 BE, after the engine's prefix. */
export const evidenceKey = ({ number, found }: StoredEquivocation): Uint8Array => {
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, number);
  return concatBytes(prefixOf(found.engine), tail);
};

/** Whether an auxiliary key holds evidence, which stays valid wherever the head moves. */
export const isEvidenceKey = (key: Uint8Array): boolean =>
  engines.some((engine) => startsWithBytes(key, prefixOf(engine)));

/** sp-consensus-slots `EquivocationProof`. */
export const encodeEvidence = ({ offender, slot, first, second }: Equivocation): Uint8Array =>
  writeHeader(writeHeader(new Writer(1024).raw(offender).u64(slot), first), second).finish();

const decodeEvidence = (engine: Equivocation['engine'], bytes: Uint8Array): Equivocation => {
  const reader = new Reader(bytes);
  const [offender, slot] = [reader.take(32).slice(), reader.u64()];
  const found = { engine, slot, offender, first: readHeader(reader), second: readHeader(reader) };
  reader.end();
  return found;
};

const loadOf = async (
  db: Pick<Database, 'range'>,
  engine: Equivocation['engine'],
): Promise<StoredEquivocation[]> => {
  const prefix = prefixOf(engine);
  const records = await db.range('auxiliary', {
    from: prefix,
    to: concatBytes(prefix, new Uint8Array(5).fill(255)),
  });
  return records.map(([key, value]) => ({
    number: new DataView(key.buffer, key.byteOffset + prefix.length).getUint32(0),
    found: decodeEvidence(engine, value),
  }));
};

/** The stored evidence, oldest first. */
export const loadEvidence = async (db: Pick<Database, 'range'>): Promise<StoredEquivocation[]> => {
  const lists = await Promise.all(engines.map((engine) => loadOf(db, engine)));
  return lists.flat().sort((a, b) => a.number - b.number);
};

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
  kept: readonly StoredEquivocation[] = [],
  write: (batch: Batch) => void = () => undefined,
) => {
  const slots = createBoundedMap<
    string,
    Map<string, { hash: BlockHash; header: Header; isReported: boolean }>
  >(maxSlots);
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
      seen.set(bytesToKey(author), { hash, header, isReported: before.has(idOf(engine, slot, author)) });
    if (earlier === undefined || earlier.isReported || earlier.hash === hash) return;
    earlier.isReported = true;
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
