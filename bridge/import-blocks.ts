import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { transfer } from 'comlink';
import { createConnection } from '../src/connection.ts';
import { NodeError } from '../src/protocol/errors.ts';
import { bytesToHex } from '../worker/bytes/hex.ts';
import { parseImportArguments } from './block-arguments.ts';
import { type FileContent, type FilePart, readBlockFile } from './block-file.ts';
import { openChainSource } from './chain-source.ts';
import { startIdleNode } from './idle-node.ts';
import type { NodeThread } from './node-thread.ts';
import type { Output } from './output.ts';
import { createProgress } from './progress.ts';
import { unwrap } from './thread.ts';

type FileBlock = Extract<FileContent, { kind: 'block' }>;

type Counts = { imported: number; known: number };

/**
 * The hash of the best chain's block at a height, as of the start of the command; null above the best block
 * of that time.
 */
type KnownHash = (number: number) => Promise<unknown>;

const otherChain = (genesisHash: string): NodeError =>
  new NodeError('BadBlock', `The blocks belong to another chain: ${genesisHash}`);

const importBlock = async (
  node: NodeThread,
  { bytes, number, parentHash }: FileBlock,
  chainTimeMs: number,
  knownHash: KnownHash,
): Promise<keyof Counts | null> => {
  // The genesis block is built from the specification.
  if (number === 0) return null;
  const parent = number === 1 ? bytesToHex(parentHash) : null;
  if (parent !== null && parent !== node.info.genesisHash) throw otherChain(parent);
  const before = await knownHash(number);
  const { hash } = unwrap(await node.control.importBlock(transfer(bytes, [bytes.buffer]), chainTimeMs));
  return hash === before ? 'known' : 'imported';
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Adds the position in the file, and the progress of the import, to an error. */
const placeError = (error: unknown, where: string, number: number | null, counts: Counts): unknown => {
  if (!(error instanceof NodeError)) return error;
  const place = number === null ? capital(where) : `Block #${number} (${where})`;
  const { imported, known } = counts;
  const before = `blocks before it: ${imported} imported, ${known} already known`;
  return new NodeError(error.code, `${place}: ${error.message} (${before})`, { details: error.details });
};

/** Counts the blocks imported and those already known; throws at the first refused block. */
const importParts = async (
  node: NodeThread,
  parts: AsyncGenerator<FilePart>,
  knownHash: KnownHash,
  onBlock: (count: number) => void,
): Promise<Counts> => {
  let chainTimeMs = 0;
  const counts: Counts = { imported: 0, known: 0 };
  let next = await parts.next();
  while (next.done !== true) {
    const { where, content } = next.value;
    let number: number | null = null;
    try {
      const found = content();
      if (found.kind === 'chain') {
        if (found.genesisHash !== node.info.genesisHash) throw otherChain(found.genesisHash);
        ({ chainTimeMs } = found);
        next = await parts.next();
        continue;
      }
      ({ number } = found);
      const importing = importBlock(node, found, chainTimeMs, knownHash);
      // Reads the next block while the node executes this one.
      const [outcome, following] = await Promise.all([importing, parts.next()]);
      if (outcome !== null) counts[outcome] += 1;
      next = following;
    } catch (error) {
      throw placeError(error, where, number, counts);
    }
    onBlock(counts.imported + counts.known);
  }
  return counts;
};

const openKnownHash = async (node: NodeThread): Promise<{ ask: KnownHash; close(): void }> => {
  const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
  const isKept = (number: number): boolean => number <= node.info.bestNumber;
  return {
    ask: async (number) => (isKept(number) ? connection.request('chain_getBlockHash', [number]) : null),
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
    const known = await openKnownHash(node);
    const counts = await importParts(node, parts, known.ask, progress.show);
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
