import { createConnection } from '../../src/connection.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { JsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { bad } from '../cli/arguments.ts';
import { type ExportArguments, parseExportArguments } from '../cli/block-arguments.ts';
import { createProgress, type Output } from '../cli/terminal.ts';
import { parseChainLine } from '../files/block-file.ts';
import { findChainSource } from '../files/chain-source.ts';
import { type NewFile, openNewFile, openStdout } from '../files/new-file.ts';
import { type NodeThread, startIdleNode } from '../thread/node-thread.ts';

/** Blocks per response, because responses have a maximum size. */
const blocksAtOnce = 64;

type Export = (from: number, to: number) => Promise<string>;

/** Exports the readable blocks of a range and adds the unreadable ones to `lost`. */
const readParts = async (
  read: Export,
  from: number,
  to: number,
  lost: Map<number, JsonRpcError>,
): Promise<string[]> => {
  try {
    return [await read(from, to)];
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    if (from < to) {
      const middle = Math.floor((from + to) / 2);
      return [
        ...(await readParts(read, from, middle, lost)),
        ...(await readParts(read, middle + 1, to, lost)),
      ];
    }
    lost.set(from, error);
    return [];
  }
};

const refuseLost = (file: string, lost: ReadonlyMap<number, JsonRpcError>): void => {
  for (const [number, { message }] of lost) {
    const others = lost.size === 1 ? '' : ` and ${lost.size - 1} more`;
    const why = `${file} has all blocks but #${number}${others}, which cannot be read: ${message}`;
    throw new NodeError('StorageBroken', why);
  }
};

/** The form of a file: what precedes the blocks, and how a part returned by `dev_exportChain` is written. */
type Form = {
  readonly format: 'json' | 'binary';
  start(count: number, chainLine: string): string | Uint8Array;
  blocks(part: string): string | Uint8Array;
};

const countBytes = (count: number): Uint8Array => new Writer(8).u64(BigInt(count)).finish();

/** Length of `0x` followed by a u64 in hex. */
const countDigits = 2 + 16;

const binaryForm: Form = {
  format: 'binary',
  start: countBytes,
  blocks: (part) => hexToBytes(`0x${part.slice(countDigits)}`),
};

/**
 * A native node accepts only blocks, so the chain line is written only for blocks with timestamps in the
 * future. Tabnode cannot import those without the line, and a native node refuses them anyway.
 */
const jsonForm = (isMarked: boolean): Form => ({
  format: 'json',
  start: (_count, line) =>
    isMarked || (parseChainLine(JSON.parse(line))?.chainTimeMs ?? 0) > Date.now() ? line : '',
  // Each part begins with the chain line.
  blocks: (part) => part.slice(part.indexOf('\n') + 1),
});

type Range = { readonly from: number; readonly to: number };

/** Writes the best chain part by part; returns the unreadable blocks. */
const writeChain = async (
  node: NodeThread,
  form: Form,
  { from: first, to: last }: Range,
  file: NewFile,
): Promise<ReadonlyMap<number, JsonRpcError>> => {
  const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
  const exported = (format: string, from: number, to: number): Promise<string> =>
    connection.request('dev_exportChain', [format, from, to]) as Promise<string>;
  const progress = createProgress('blocks');
  const lost = new Map<number, JsonRpcError>();
  const count = last + 1 - first;
  await file.write(form.start(count, await exported('json', 1, 0)));
  for (let from = first; from <= last; from += blocksAtOnce) {
    const to = Math.min(from + blocksAtOnce - 1, last);
    for (const part of await readParts((...range) => exported(form.format, ...range), from, to, lost))
      await file.write(form.blocks(part));
    progress.show(to + 1 - first, count);
  }
  progress.end();
  if (form.format === 'binary' && lost.size > 0) await file.rewriteStart(countBytes(count - lost.size));
  connection.close();
  return lost;
};

/** As in the SDK, `--to 0` means block 1, and the range is cut off at the best block. */
const chooseRange = ({ from, to }: ExportArguments, bestNumber: number): Range => {
  if (from > Math.max(bestNumber, 1)) throw bad(`--from ${from}: the best block is #${bestNumber}`);
  return { from, to: Math.min(to === 0 && from > 0 ? 1 : (to ?? bestNumber), bestNumber) };
};

/**
 * `tabnode export-blocks`: the best chain in the SDK's formats, one block per line or binary. Throws
 * `BadConfig` if the file exists and `--yes` is not given. If blocks could not be read, throws
 * `StorageBroken` at the end; the readable ones are kept in a file next to the destination.
 */
export const exportBlocks = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseExportArguments(argv);
  const source = await findChainSource(args);
  const file = args.file === null ? openStdout() : await openNewFile(args.file, args.yes);
  try {
    const node = await startIdleNode(source);
    try {
      const { bestNumber, bestHash } = node.info;
      const range = chooseRange(args, bestNumber);
      const form = args.binary ? binaryForm : jsonForm(args.chainLine);
      const lost = await writeChain(node, form, range, file);
      if (lost.size > 0) refuseLost(await file.keepPartial(), lost);
      await file.keep();
      const exported = range.to + 1 - range.from;
      if (args.file !== null) output.line(JSON.stringify({ exported, ...range, bestNumber, bestHash }));
    } finally {
      await node.stop();
    }
  } finally {
    await file.close();
  }
};
