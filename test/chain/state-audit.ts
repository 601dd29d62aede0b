import { expect } from 'vitest';
import { bytesToKey } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeHeaderRecord } from '../../worker/chain/records.ts';
import { createStateCheck } from '../../worker/chain/repair/check-state.ts';
import { readJournal } from '../../worker/chain/states/journals.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { Database } from '../../worker/db/database.ts';
import type { Node } from '../../worker/node.ts';

export const journalsOf = async (db: Database): Promise<Map<string, Uint8Array>> =>
  new Map((await db.range('journals', {})).flatMap(([, record]) => [...readJournal(record)]));

/** Counts stored nodes that belong to no state of these blocks, and states that are incomplete. */
export const audit = async (node: Node, db: Database, kept: ReadonlySet<string>) => {
  const journals = await journalsOf(db);
  const touched = new Set<string>();
  const check = createStateCheck({
    blake2b256: node.parts.crypto.blake2b256,
    load: async (hashes) => {
      const stored = await db.getMany('nodes', hashes);
      for (const hash of hashes) touched.add(bytesToKey(hash));
      return hashes.map((hash, at) => journals.get(bytesToKey(hash)) ?? stored[at] ?? null);
    },
    known: new Map(),
    onProgress: () => undefined,
  });
  const torn: number[] = [];
  for (const [key, record] of await db.range('headers', {})) {
    if (!kept.has(bytesToHex(key))) continue;
    const { header } = decodeHeaderRecord(record);
    if (!(await check.isWhole(header.stateRoot))) torn.push(header.number);
  }
  const stray = (await db.range('nodes', {})).filter(([key]) => !touched.has(bytesToKey(key)));
  return { torn, stray: stray.length };
};

/** The blocks whose states can be read, determined by reading each. */
export const readable = async ({ parts: { chain } }: Node, db: Database): Promise<Set<BlockHash>> => {
  const found = new Set<BlockHash>();
  for (const [key] of await db.range('headers', {})) {
    const hash = bytesToHex(key) as string as BlockHash;
    const read = chain.withState(hash, (state) => state.get(hexToBytes('0x3a636f6465')));
    const error = await read.then(
      () => null,
      (cause: unknown) => cause,
    );
    if (error === null) found.add(hash);
    else expect(error).toMatchObject({ code: 'StateDiscarded' });
  }
  return found;
};
