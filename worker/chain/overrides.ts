import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { BatchBuilder, Database } from '../db/database.ts';
import type { BlockRef } from './tree.ts';

/**
 * A state with which the operator replaced a block's own. Its root differs from the header's, so no other
 * node accepts blocks built on it.
 */
export type Override = BlockRef & { readonly stateRoot: Uint8Array };

export type Overrides = ReadonlyMap<BlockHash, Override>;

export const overridesKey = /* @__PURE__ */ textToBytes('overrides');

export const encodeOverrides = (overrides: Overrides): Uint8Array =>
  new Writer(128)
    .vec([...overrides.values()], (out, item) =>
      out.raw(blockHashToBytes(item.hash)).u32(item.number).raw(item.stateRoot),
    )
    .finish();

export const decodeOverrides = (bytes: Uint8Array): Overrides => {
  const reader = new Reader(bytes);
  const items = reader.vec((from): Override => {
    const hash = bytesToBlockHash(from.take(32));
    return { hash, number: from.u32(), stateRoot: from.take(32).slice() };
  });
  return new Map(items.map((item) => [item.hash, item]));
};

export const loadOverrides = async (db: Pick<Database, 'get'>): Promise<Overrides> => {
  const bytes = await db.get('meta', overridesKey);
  return bytes === null ? new Map() : decodeOverrides(bytes);
};

export const overridesPut = (overrides: Overrides): BatchBuilder['puts'][number] => [
  'meta',
  overridesKey,
  encodeOverrides(overrides),
];

export const putOverrides = (batch: BatchBuilder, overrides: Overrides): void => {
  batch.puts.push(overridesPut(overrides));
};

/** The blocks whose state differs between two sets. */
export const changedOverrides = (before: Overrides, after: Overrides): BlockHash[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((hash) => {
    const [a, b] = [before.get(hash)?.stateRoot, after.get(hash)?.stateRoot];
    return a === undefined || b === undefined || bytesToHex(a) !== bytesToHex(b);
  });
