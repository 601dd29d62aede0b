import { createInterface } from 'node:readline/promises';
import { NodeError } from '../../src/protocol/errors.ts';

/**
 * Asks a yes/no question on the terminal. Throws `BadConfig` if there is no terminal.
 *
 * @param flags What to pass instead, such as `--yes`.
 */
export const ask = async (question: string, flags: string): Promise<boolean> => {
  if (!process.stdin.isTTY) throw new NodeError('BadConfig', `Not interactive: pass ${flags}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
};
