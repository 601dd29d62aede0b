import { writeFile } from 'node:fs/promises';
import { createConnection } from '../src/connection.ts';
import { NodeError } from '../src/protocol/errors.ts';
import { parseExportArguments } from './arguments.ts';
import { startIdleNode } from './idle-node.ts';
import type { Output } from './output.ts';

/** Blocks of one answer: an answer has a largest size. */
const blocksAtOnce = 64;

/** `tabnode export-blocks`: the best chain as `dev_exportChain` gives it, a line of marks and then a block per line. */
export const exportBlocks = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseExportArguments(argv);
  const node = await startIdleNode(args);
  try {
    const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
    const { bestNumber, bestHash } = node.info;
    await writeFile(args.file, '').catch((cause: unknown) => {
      throw new NodeError('BadConfig', `${args.file} cannot be written`, { cause });
    });
    for (let from = 1; from <= Math.max(bestNumber, 1); from += blocksAtOnce) {
      const to = Math.min(from + blocksAtOnce - 1, bestNumber);
      const text = (await connection.request('dev_exportChain', ['json', from, to])) as string;
      // Every part begins with the marks of the chain.
      const lines = from === 1 ? text : text.slice(text.indexOf('\n') + 1);
      await writeFile(args.file, lines, { flag: 'a' });
    }
    connection.close();
    output.line(JSON.stringify({ exported: bestNumber, bestNumber, bestHash }));
  } finally {
    await node.stop();
  }
};
