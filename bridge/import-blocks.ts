import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { dataToError, NodeError } from '../src/protocol/errors.ts';
import type { SignedBlockJson } from '../src/protocol/node.ts';
import { parseImportArguments } from './arguments.ts';
import { type Line, parseLine } from './block-lines.ts';
import { openChainSource } from './chain-source.ts';
import { startIdleNode } from './idle-node.ts';
import type { NodeThread } from './node-thread.ts';
import type { Output } from './output.ts';
import { unwrap } from './thread.ts';

type BlockLine = Extract<Line, { kind: 'block' }>;

const importLine = async (
  node: NodeThread,
  { json, number }: BlockLine,
  line: number,
  chainTimeMs: number,
): Promise<void> => {
  const outcome = await node.control.importBlock(json as SignedBlockJson, chainTimeMs);
  if (outcome.ok) return;
  const { code, message, details } = dataToError(outcome.error);
  const where = number === null ? `Line ${line}` : `Block #${number} (line ${line})`;
  throw new NodeError(code, `${where}: ${message}`, { details: { ...details } });
};

/** The number of blocks imported; throws at the first refused one. */
const importFile = async (
  node: NodeThread,
  file: string,
  onBlock: (count: number) => void,
): Promise<number> => {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let lineNumber = 0;
  let chainTimeMs = 0;
  let imported = 0;
  for await (const line of lines) {
    lineNumber += 1;
    if (line.trim() === '') continue;
    const parsed = parseLine(line);
    if (parsed.kind === 'chain') {
      if (parsed.genesisHash !== node.info.genesisHash)
        throw new NodeError('BadBlock', `The blocks of ${file} are of another chain: ${parsed.genesisHash}`);
      ({ chainTimeMs } = parsed);
      continue;
    }
    await importLine(node, parsed, lineNumber, chainTimeMs);
    imported += 1;
    onBlock(imported);
  }
  return imported;
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
    const imported = await importFile(node, args.file, (count) => {
      if (!args.json && count % 1000 === 0) output.line(`${count} blocks`);
    });
    const ms = Math.round(performance.now() - fromMs);
    const { bestNumber, bestHash } = unwrap(await node.control.status());
    output.line(JSON.stringify({ imported, bestNumber, bestHash, ms }));
  } finally {
    await node.stop();
  }
};
