import { NodeError } from '../../src/protocol/errors.ts';
import { unmovedClock } from '../author/clock.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockRef } from '../chain/tree.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Database } from '../db/database.ts';
import { readChainFile } from './chain-file.ts';
import { noImpersonation } from './impersonation.ts';
import type { Snapshots } from './snapshot.ts';

type Importing = {
  readonly chain: Chain;
  readonly db: Database;
  readonly snapshots: Snapshots;
  readonly wallMs: () => number;
  /** Resolves when the pool has processed every imported block. */
  readonly settled: () => Promise<void>;
};

/**
 * Converts a marker to a snapshot of that block. It has no pool, clock or offchain storage, because a file
 * contains none.
 */
const markSnapshot = async (
  { db, snapshots, wallMs }: Importing,
  name: string,
  head: BlockRef,
): Promise<void> => {
  const nothing = { pool: [], offchain: [], impersonation: noImpersonation, overrides: new Map() };
  const keys = (await db.range('keystore')).map(([key]) => key);
  const times = { takenMs: wallMs(), clock: unmovedClock };
  await snapshots.put(name, { head, finalized: head, keys, ...times, ...nothing });
};

/** `badJustifications`: how many justifications were dropped, and why the first was; absent if none was. */
export type ImportCounts = {
  readonly blocks: number;
  readonly snapshots: number;
  readonly badJustifications?: { readonly count: number; readonly first: string };
};

/**
 * Imports an exported chain. Throws the error code of the first refused block. A block whose justification is
 * invalid, for example because the set has changed since, is imported without it.
 */
export const importChain = async (deps: Importing, text: string): Promise<ImportCounts> => {
  const { chain } = deps;
  const file = readChainFile(text);
  if (file.genesisHash !== null && file.genesisHash !== chain.genesisHash)
    throw new NodeError('BadSpec', `The file belongs to another chain: ${file.genesisHash}`);
  const imported = new Set<BlockHash>();
  const bad: string[] = [];
  for (const block of file.blocks) {
    if (block.header.number === 0) continue;
    const { justifications } = block;
    const { chainTimeMs } = file;
    const result = await chain.import(block, { justifications, origin: 'file', chainTimeMs });
    if (!result.ok) throw new NodeError(result.code, result.message);
    imported.add(result.hash);
    if (result.badJustification !== undefined) bad.push(result.badJustification);
  }
  await deps.settled();
  // Markers may come in a separate text after blocks that came in parts.
  const marks: { name: string; head: BlockRef }[] = [];
  for (const { name, hash } of file.snapshots) {
    const header = await chain.loadHeader(hash as BlockHash);
    if (header !== null) marks.push({ name, head: { hash: hash as BlockHash, number: header.number } });
  }
  for (const { name, head } of marks) await markSnapshot(deps, name, head);
  const [first] = bad;
  return {
    blocks: imported.size,
    snapshots: marks.length,
    ...(first === undefined ? {} : { badJustifications: { count: bad.length, first } }),
  };
};
