import { createCursor, takeBytes, takeLength, takeUnsigned } from '../meta/cursor.ts';

/** What a GRANDPA justification says. */
export type Commit = { readonly round: number; readonly number: number; readonly signatures: number };

/** A precommit with its signature and the voter's key: 32 + 4 + 64 + 32 bytes. */
const signedPrecommit = 132;

/** Reads a GrandpaJustification (sp_consensus_grandpa) with block numbers of 32 bits; null for what is none. */
export const readJustification = (engine: string, bytes: Uint8Array): Commit | null => {
  if (engine !== 'FRNK') return null;
  try {
    const cursor = createCursor(bytes);
    const round = Number(takeUnsigned(cursor, 8));
    takeBytes(cursor, 32);
    const number = Number(takeUnsigned(cursor, 4));
    return { round, number, signatures: takeLength(cursor, signedPrecommit) };
  } catch {
    return null;
  }
};
