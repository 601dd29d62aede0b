import { NodeError } from '../../src/protocol/errors.ts';
import type { ClockState } from '../author/clock.ts';
import { bytesToText, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { decodeOverrides, encodeOverrides, type Overrides } from '../chain/overrides.ts';
import type { BlockRef } from '../chain/tree.ts';
import { readRef, writeRef } from '../codec/identity.ts';
import type { Database } from '../db/database.ts';
import type { PoolEntry, TransactionSource } from '../pool/pool.ts';
import { decodeImpersonation, encodeImpersonation, type ImpersonationState } from './impersonation.ts';

/** A snapshot of a node. States are immutable, so it refers to them by hash and copies only what is small. */
export type Snapshot = {
  readonly head: BlockRef;
  readonly finalized: BlockRef;
  readonly takenMs: number;
  readonly clock: ClockState;
  readonly overrides: Overrides;
  readonly impersonation: ImpersonationState;
  readonly pool: readonly PoolEntry[];
  /** The offchain store. */
  readonly offchain: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
  /** Names of the keystore's keys: four bytes of key type, then the public key. */
  readonly keys: readonly Uint8Array[];
};

export const encodeSnapshot = (snapshot: Snapshot): Uint8Array => {
  const { clock, takenMs } = snapshot;
  const writer = new Writer(512);
  writeRef(writeRef(writer, snapshot.head), snapshot.finalized);
  writer.vecBytes(textToBytes(JSON.stringify({ takenMs, ...clock })));
  writer.vecBytes(encodeOverrides(snapshot.overrides)).vecBytes(encodeImpersonation(snapshot.impersonation));
  writer.vec(snapshot.pool, (out, item) => out.u8(item.source).vecBytes(item.extrinsic));
  writer.vec(snapshot.offchain, (out, [key, value]) => out.vecBytes(key).vecBytes(value));
  return writer.vec(snapshot.keys, (out, name) => out.vecBytes(name)).finish();
};

export const decodeSnapshot = (bytes: Uint8Array): Snapshot => {
  const reader = new Reader(bytes);
  const head = readRef(reader);
  const finalized = readRef(reader);
  const times = JSON.parse(bytesToText(reader.vecBytes())) as ClockState & { takenMs: number };
  return {
    head,
    finalized,
    takenMs: times.takenMs,
    clock: { offsetMs: times.offsetMs, floorMs: times.floorMs },
    overrides: decodeOverrides(reader.vecBytes()),
    impersonation: decodeImpersonation(reader.vecBytes()),
    pool: reader.vec((from) => ({
      source: from.u8() as TransactionSource,
      extrinsic: from.vecBytes().slice(),
    })),
    offchain: reader.vec((from) => [from.vecBytes().slice(), from.vecBytes().slice()] as const),
    keys: reader.vec((from) => from.vecBytes().slice()),
  };
};

/** Maximum number of snapshots. Each holds a copy of the pool and the offchain storage in memory. */
export const maxSnapshots = 256;

/** The named snapshots of a chain, stored in its database. */
export type Snapshots = {
  get(name: string): Snapshot | null;
  list(): readonly (readonly [name: string, snapshot: Snapshot])[];
  /** Adds a snapshot, or replaces the one with this name. Throws `LimitReached`. */
  put(name: string, snapshot: Snapshot): Promise<void>;
  delete(name: string): Promise<boolean>;
};

export const loadSnapshots = async (db: Pick<Database, 'range' | 'write'>): Promise<Snapshots> => {
  const known = new Map<string, Snapshot>();
  for (const [key, value] of await db.range('snapshots')) known.set(bytesToText(key), decodeSnapshot(value));
  return {
    get: (name) => known.get(name) ?? null,
    list: () => [...known],
    put: async (name, snapshot) => {
      if (!known.has(name) && known.size >= maxSnapshots)
        throw new NodeError('LimitReached', `There are ${maxSnapshots} snapshots already`);
      const record = ['snapshots', textToBytes(name), encodeSnapshot(snapshot)] as const;
      await db.write({ puts: [record], deletes: [] });
      known.set(name, snapshot);
    },
    delete: async (name) => {
      if (!known.has(name)) return false;
      await db.write({ puts: [], deletes: [['snapshots', textToBytes(name)]] });
      return known.delete(name);
    },
  };
};
