import { NodeError } from '../../../src/protocol/errors.ts';
import type { StatePruning, StatePruningChoice } from '../../../src/protocol/node.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { damageError } from '../../db/damage.ts';

/** Which states a database keeps, and from which block on. Without the record it keeps all. */
export type PruningRecord = {
  readonly mode: StatePruning;
  /** The block of the best chain up to which removed nodes are deleted. */
  readonly base: number;
  /** The last settled journal. No sequence is used twice, because it identifies what a block added. */
  readonly through: number;
};

export const pruningKey = /* @__PURE__ */ textToBytes('statePruning');
export const settlementKey = /* @__PURE__ */ textToBytes('settlement');

const kinds = { archive: 0, 'archive-canonical': 1 } as const;
const windowKind = 2;

export const encodePruning = ({ mode, base, through }: PruningRecord): Uint8Array => {
  const writer = new Writer(24).u32(base).u64(BigInt(through));
  return (typeof mode === 'number' ? writer.u8(windowKind).u32(mode) : writer.u8(kinds[mode])).finish();
};

export const decodePruning = (bytes: Uint8Array): PruningRecord => {
  const reader = new Reader(bytes);
  const base = reader.u32();
  const through = Number(reader.u64());
  const kind = reader.u8();
  if (kind === windowKind) return { mode: reader.u32(), base, through };
  if (kind > windowKind) throw damageError('which states are kept is not known', { store: 'meta' });
  return { mode: kind === kinds.archive ? 'archive' : 'archive-canonical', base, through };
};

const nameOf = (mode: StatePruning): string => `--state-pruning ${mode}`;

/** Callers of `startNode` may be plain JavaScript. */
const isMode = (mode: unknown): boolean =>
  typeof mode === 'number'
    ? Number.isInteger(mode) && mode > 0 && mode < 2 ** 32
    : mode === 'archive' || mode === 'archive-canonical';

/** Which states a new chain keeps. Throws `BadConfig`. */
export const newMode = (wanted: StatePruningChoice | undefined): StatePruning => {
  if (wanted === undefined) return 'archive';
  const mode = typeof wanted === 'object' && wanted !== null ? wanted.ifNew : wanted;
  if (isMode(mode)) return mode;
  throw new NodeError(
    'BadConfig',
    `State pruning ${String(mode)}: there are archive, archive-canonical and a number of blocks from 1 on`,
  );
};

/** Merges the node's option with the database's mode. The number of states may change. Throws `BadConfig`. */
export const chooseMode = (stored: StatePruning, wanted: StatePruningChoice | undefined): StatePruning => {
  if (wanted === undefined || wanted === stored || typeof wanted === 'object') return stored;
  if (typeof stored === 'number' && typeof wanted === 'number') return newMode(wanted);
  throw new NodeError(
    'BadConfig',
    `This chain keeps its states by ${nameOf(stored)} and cannot change to ${nameOf(wanted)}: leave the setting out, or export the blocks and import them into a new chain`,
    { details: { stored, wanted } },
  );
};

/** How a block changed the nodes of its parent's state: hashes, repeated once per place. */
export type NodeChanges = {
  /** Journals up to this sequence hold the block's state. */
  readonly sequence: number;
  readonly added: readonly Uint8Array[];
  readonly removed: readonly Uint8Array[];
};

const writeHashes = (writer: Writer, hashes: readonly Uint8Array[]): Writer => {
  writer.compact(hashes.length);
  for (const hash of hashes) writer.raw(hash);
  return writer;
};

const readHashes = (reader: Reader): Uint8Array[] => reader.vec((from) => from.take(32));

export const encodeNodeChanges = ({ sequence, added, removed }: NodeChanges): Uint8Array => {
  const writer = new Writer(24 + 32 * (added.length + removed.length)).u64(BigInt(sequence));
  return writeHashes(writeHashes(writer, added), removed).finish();
};

export const decodeNodeChanges = (bytes: Uint8Array): NodeChanges => {
  const reader = new Reader(bytes);
  return { sequence: Number(reader.u64()), added: readHashes(reader), removed: readHashes(reader) };
};

/** For a deleted block: only the nodes it added count. */
export const encodeLost = ({ sequence, added }: Omit<NodeChanges, 'removed'>): Uint8Array =>
  writeHashes(new Writer(24 + 32 * added.length).u64(BigInt(sequence)), added).finish();

export const decodeLost = (bytes: Uint8Array): Omit<NodeChanges, 'removed'> => {
  const reader = new Reader(bytes);
  return { sequence: Number(reader.u64()), added: readHashes(reader) };
};

/**
 * The scope of one settlement. After a crash the settlement is recomputed from this record and resumes where
 * it stopped.
 */
export type Settlement = {
  /** The journals up to this sequence. */
  readonly through: number;
  /** Nodes removed by the best chain's blocks up to this one. */
  readonly base: number;
  /** Nodes added by deleted blocks, up to this running number. */
  readonly lost: number;
  /** How many of its nodes are done. */
  readonly done: number;
};

export const encodeSettlement = ({ through, base, lost, done }: Settlement): Uint8Array =>
  new Writer(24).u64(BigInt(through)).u32(base).u64(BigInt(lost)).u32(done).finish();

export const decodeSettlement = (bytes: Uint8Array): Settlement => {
  const reader = new Reader(bytes);
  const through = Number(reader.u64());
  const base = reader.u32();
  return { through, base, lost: Number(reader.u64()), done: reader.u32() };
};

export const encodeCount = (count: number): Uint8Array => new Writer(4).u32(count).finish();
export const decodeCount = (bytes: Uint8Array): number => new Reader(bytes).u32();
