import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { transfer } from 'comlink';
import { createConnection } from '../../src/connection.ts';
import { dataToError, NodeError } from '../../src/protocol/errors.ts';
import { parseImportArguments } from '../cli/block-arguments.ts';
import { createProgress, type Output } from '../cli/terminal.ts';
import { type BlockBatch, batchBlocks, type FileFault } from '../files/block-batches.ts';
import { readBlockFile } from '../files/block-file.ts';
import { openChainSource } from '../files/chain-source.ts';
import { type NodeThread, startIdleNode } from '../thread/node-thread.ts';
import { unwrap } from '../thread/thread.ts';

type Counts = {
  imported: number;
  known: number;
  /** Justifications that were dropped, if any were, and why the first was. */
  badJustifications?: { count: number; first: string };
};

/**
 * The hashes of the best chain's blocks at these heights, before they are imported; null above the best block
 * at the start of the command.
 */
type KnownHashes = (numbers: readonly number[]) => Promise<readonly unknown[]>;

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Adds the position in the file, and the progress of the import, to an error. */
const placeError = ({ error, where, number }: FileFault, { imported, known }: Counts): unknown => {
  if (!(error instanceof NodeError) || where === null) return error;
  const place = number === null ? capital(where) : `Block #${number} (${where})`;
  const before = `blocks before it: ${imported} imported, ${known} already known`;
  return new NodeError(error.code, `${place}: ${error.message} (${before})`, { details: error.details });
};

/** Imports a batch and counts its blocks. Throws at the first refused block, and at the batch's fault. */
const importBatch = async (
  node: NodeThread,
  { blocks, chainTimeMs, fault }: BlockBatch,
  knownHashes: KnownHashes,
  counts: Counts,
): Promise<void> => {
  const before = await knownHashes(blocks.map(({ number }) => number));
  const bytes = blocks.map((block) => block.bytes);
  const buffers = bytes.map(({ buffer }) => buffer as ArrayBuffer);
  const { hashes, badJustifications, refusal } = unwrap(
    await node.control.importBlocks(transfer(bytes, buffers), chainTimeMs),
  );
  for (const [index, hash] of hashes.entries()) counts[hash === before[index] ? 'known' : 'imported'] += 1;
  for (const first of badJustifications) {
    counts.badJustifications ??= { count: 0, first };
    counts.badJustifications.count += 1;
  }
  const refused = blocks[hashes.length];
  if (refusal !== null && refused !== undefined) {
    const { where, number } = refused;
    throw placeError({ error: dataToError(refusal), where, number }, counts);
  }
  if (fault !== null) throw placeError(fault, counts);
};

/** Counts the blocks imported and those already known; throws at the first refused block. */
const importAll = async (
  node: NodeThread,
  batches: AsyncGenerator<BlockBatch>,
  knownHashes: KnownHashes,
  onBlocks: (count: number) => void,
): Promise<Counts> => {
  const counts: Counts = { imported: 0, known: 0 };
  let next = await batches.next();
  while (next.done !== true) {
    const batch = next.value;
    // Reads the next batch while the node executes this one.
    const [, following] = await Promise.all([importBatch(node, batch, knownHashes, counts), batches.next()]);
    next = following;
    onBlocks(counts.imported + counts.known);
  }
  return counts;
};

const openKnownHashes = async (node: NodeThread): Promise<{ ask: KnownHashes; close(): void }> => {
  const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
  const isKept = (number: number): boolean => number <= node.info.bestNumber;
  return {
    ask: async (numbers) => {
      if (!numbers.some(isKept)) return [];
      const hashes = (await connection.request('chain_getBlockHash', [numbers])) as readonly unknown[];
      return hashes.map((hash, index) => (isKept(numbers[index] ?? 0) ? hash : null));
    },
    close: connection.close,
  };
};

/** Large enough to hold most blocks, so that few have to be reassembled from several chunks. */
const chunkBytes = 1 << 20;

const openFile = async (file: string | null): Promise<Readable> => {
  if (file === null) return process.stdin;
  try {
    await access(file);
  } catch (cause) {
    throw new NodeError('BadConfig', `${file} cannot be read`, { cause });
  }
  return createReadStream(file, { highWaterMark: chunkBytes });
};

/** `tabnode import-blocks`: executes the blocks of a file in order and compares their roots. */
export const importBlocks = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseImportArguments(argv);
  const stream = await openFile(args.file);
  const parts = readBlockFile(stream, args.binary);
  const { finality, trustBlocks, statePruning } = args;
  const node = await startIdleNode({ ...(await openChainSource(args)), finality, trustBlocks, statePruning });
  const progress = createProgress('blocks');
  try {
    const fromMs = performance.now();
    const known = await openKnownHashes(node);
    const batches = batchBlocks(parts, node.info.genesisHash);
    const counts = await importAll(node, batches, known.ask, progress.show);
    const ms = Math.round(performance.now() - fromMs);
    const { bestNumber, bestHash } = unwrap(await node.control.status());
    known.close();
    progress.end();
    output.line(JSON.stringify({ ...counts, bestNumber, bestHash, ms }));
  } finally {
    progress.end();
    // An open standard input would keep the process alive.
    stream.destroy();
    await node.stop();
  }
};
