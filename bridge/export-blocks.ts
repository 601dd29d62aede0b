import { createConnection } from '../src/connection.ts';
import { JsonRpcError } from '../src/json-rpc-error.ts';
import { NodeError } from '../src/protocol/errors.ts';
import { parseExportArguments } from './arguments.ts';
import { findChainSource } from './chain-source.ts';
import { startIdleNode } from './idle-node.ts';
import { openNewFile } from './new-file.ts';
import type { NodeThread } from './node-thread.ts';
import type { Output } from './output.ts';

/** Blocks per response, because responses have a maximum size. */
const blocksAtOnce = 64;

type Export = (from: number, to: number) => Promise<string>;

/** The blocks that can be read; the unreadable ones are added to `lost`. */
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

/** Writes the best chain part by part; returns the blocks that could not be read. */
const writeChain = async (
  node: NodeThread,
  write: (lines: string) => Promise<void>,
): Promise<ReadonlyMap<number, JsonRpcError>> => {
  const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
  const { bestNumber } = node.info;
  const read: Export = (from, to) =>
    connection.request('dev_exportChain', ['json', from, to]) as Promise<string>;
  const lost = new Map<number, JsonRpcError>();
  let isFirst = true;
  for (let from = 1; from <= Math.max(bestNumber, 1); from += blocksAtOnce) {
    const to = Math.min(from + blocksAtOnce - 1, bestNumber);
    for (const text of await readParts(read, from, to, lost)) {
      // Every part begins with the line that identifies the chain.
      await write(isFirst ? text : text.slice(text.indexOf('\n') + 1));
      isFirst = false;
    }
  }
  connection.close();
  return lost;
};

/**
 * `tabnode export-blocks`: the best chain as exported by `dev_exportChain`, first a line that identifies the
 * chain and then one block per line. Throws `BadConfig` if the file exists and `--yes` is not given. Throws
 * `StorageBroken` at the end if blocks are lost; the others are in a file next to it.
 */
export const exportBlocks = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseExportArguments(argv);
  const source = await findChainSource(args);
  const file = await openNewFile(args.file, args.yes);
  try {
    const node = await startIdleNode(source);
    try {
      const lost = await writeChain(node, file.write);
      if (lost.size > 0) refuseLost(await file.keepPartial(), lost);
      await file.keep();
      const { bestNumber, bestHash } = node.info;
      output.line(JSON.stringify({ exported: bestNumber, bestNumber, bestHash }));
    } finally {
      await node.stop();
    }
  } finally {
    await file.close();
  }
};
