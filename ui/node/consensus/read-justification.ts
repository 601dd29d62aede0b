import { createCursor, takeBytes, takeLength, takeUnsigned } from '../../../src/scale/cursor.ts';

/** The main facts of a GRANDPA justification. */
export type Commit = { readonly round: number; readonly number: number; readonly signatures: number };

/** Size in bytes of a signed precommit: hash 32, number 4, signature 64, voter's key 32. */
const signedPrecommit = 132;

/** Decodes a GrandpaJustification (sp_consensus_grandpa) with 32-bit block numbers; null for other bytes. */
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
