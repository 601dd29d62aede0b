import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import { type Made, makeChainIn, type Opened, openDamaged } from './damage-chain.ts';

export { answersOf, type Made, type Opened, type Question } from './damage-chain.ts';

/** A node over a file, with a client. Rethrows errors of opening. */
export const openFile = async (path: string): Promise<Opened> => openDamaged(await openSqliteDatabase(path));

/** Writes the chain of the tests to a file. */
export const makeChain = async (path: string, length: number): Promise<Made> =>
  makeChainIn(await openSqliteDatabase(path), length);

/** SQLite's navigation data: page headers and cell pointers. */
export const structuralBytes = (bytes: Buffer): number[] => {
  const found: number[] = [];
  for (let page = 0; page < bytes.length; page += 4096) {
    const start = page === 0 ? 100 : page;
    const kind = bytes[start] as number;
    if (![2, 5, 10, 13].includes(kind)) continue;
    const header = kind === 2 || kind === 5 ? 12 : 8;
    const size = header + 2 * bytes.readUInt16BE(start + 3);
    if (size < 2048) for (let at = 0; at < size; at++) found.push(start + at);
  }
  for (let at = 0; at < 100; at++) found.push(at);
  return found;
};
