import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createConnection } from '../src/connection.ts';
import { NodeError } from '../src/protocol/errors.ts';
import type { SignedBlockJson } from '../src/protocol/node.ts';
import { parseImportArguments } from './arguments.ts';
import { type Line, parseLine } from './block-lines.ts';
import { openChainSource } from './chain-source.ts';
import { startIdleNode } from './idle-node.ts';
import type { NodeThread } from './node-thread.ts';
import type { Output } from './output.ts';
import { unwrap } from './thread.ts';

type BlockLine = Extract<Line, { kind: 'block' }>;

type Counts = { imported: number; known: number };

/** The hash of the best chain's block at each height that it had when the command started. */
type KnownHash = (number: number) => Promise<unknown>;

const importBlock = async (
  node: NodeThread,
  { json, number }: BlockLine,
  chainTimeMs: number,
  knownHash: KnownHash,
): Promise<keyof Counts> => {
  const before = number === null ? null : await knownHash(number);
  const { hash } = unwrap(await node.control.importBlock(json as SignedBlockJson, chainTimeMs));
  return hash === before ? 'known' : 'imported';
};

/** An error with its position in the file, and how far the import got. */
const placeError = (error: unknown, line: Line | null, lineNumber: number, counts: Counts): unknown => {
  if (!(error instanceof NodeError)) return error;
  const number = line?.kind === 'block' ? line.number : null;
  const where = number === null ? `Line ${lineNumber}` : `Block #${number} (line ${lineNumber})`;
  const { imported, known } = counts;
  const before = `blocks before it: ${imported} imported, ${known} already known`;
  return new NodeError(error.code, `${where}: ${error.message} (${before})`, { details: error.details });
};

/** How many blocks were imported, and how many were already known; throws at the first refused one. */
const importFile = async (
  node: NodeThread,
  file: string,
  knownHash: KnownHash,
  onBlock: (count: number) => void,
): Promise<Counts> => {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let lineNumber = 0;
  let chainTimeMs = 0;
  const counts: Counts = { imported: 0, known: 0 };
  for await (const text of lines) {
    lineNumber += 1;
    if (text.trim() === '') continue;
    let line: Line | null = null;
    try {
      line = parseLine(text);
      if (line.kind === 'block') counts[await importBlock(node, line, chainTimeMs, knownHash)] += 1;
      else if (line.genesisHash === node.info.genesisHash) ({ chainTimeMs } = line);
      else
        throw new NodeError('BadBlock', `The blocks of ${file} belong to another chain: ${line.genesisHash}`);
    } catch (error) {
      throw placeError(error, line, lineNumber, counts);
    }
    if (line.kind === 'block') onBlock(counts.imported + counts.known);
  }
  return counts;
};

const openKnownHash = async (node: NodeThread): Promise<{ ask: KnownHash; close(): void }> => {
  const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
  const isKept = (number: number): boolean => number >= 0 && number <= node.info.bestNumber;
  return {
    ask: async (number) => (isKept(number) ? connection.request('chain_getBlockHash', [number]) : null),
    close: connection.close,
  };
};

const mustBeReadable = async (file: string): Promise<void> => {
  try {
    await access(file);
  } catch (cause) {
    throw new NodeError('BadConfig', `${file} cannot be read`, { cause });
  }
};

/** `tabnode import-blocks`: executes the blocks of a file in order and compares their roots. */
export const importBlocks = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseImportArguments(argv);
  await mustBeReadable(args.file);
  const { finality, trustBlocks, statePruning } = args;
  const node = await startIdleNode({ ...(await openChainSource(args)), finality, trustBlocks, statePruning });
  try {
    const fromMs = performance.now();
    const known = await openKnownHash(node);
    const counts = await importFile(node, args.file, known.ask, (count) => {
      if (!args.json && count % 1000 === 0) output.line(`${count} blocks`);
    });
    const ms = Math.round(performance.now() - fromMs);
    const { bestNumber, bestHash } = unwrap(await node.control.status());
    known.close();
    output.line(JSON.stringify({ ...counts, bestNumber, bestHash, ms }));
  } finally {
    await node.stop();
  }
};
