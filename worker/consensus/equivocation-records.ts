import { concatBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type Header, readHeader, writeHeader } from '../codec/header.ts';
import type { Database } from '../db/database.ts';

/** Two blocks of one author in one slot. */
export type Equivocation = {
  readonly engine: 'babe' | 'aura';
  readonly slot: bigint;
  readonly offender: Uint8Array;
  readonly first: Header;
  readonly second: Header;
};

/** Evidence as stored in the auxiliary store. Later finds have higher numbers. */
export type KeptEquivocation = { readonly number: number; readonly found: Equivocation };

const engines = ['babe', 'aura'] as const;
const prefixOf = (engine: Equivocation['engine']): Uint8Array => textToBytes(`${engine} equivocation `);

/** The number as u32 BE, after the engine's prefix. */
export const evidenceKey = ({ number, found }: KeptEquivocation): Uint8Array => {
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
): Promise<KeptEquivocation[]> => {
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
export const loadEvidence = async (db: Pick<Database, 'range'>): Promise<KeptEquivocation[]> => {
  const lists = await Promise.all(engines.map((engine) => loadOf(db, engine)));
  return lists.flat().sort((a, b) => a.number - b.number);
};
