import type { Output } from '../cli/terminal.ts';
import type { KeyIo } from './key-command.ts';

type Run = (argv: readonly string[], output: Output, io: KeyIo) => Promise<void>;

/** What a key command wrote. */
export type Written = { readonly stdout: string; readonly stderr: string };

/** Runs a key command in this process; `stdin` is what it finds there. Rejects with the command's error. */
export const runKey = async (run: Run, argv: readonly string[], stdin = ''): Promise<Written> => {
  const stdout: string[] = [];
  const stderr: string[] = [];
  let isRead = false;
  const output: Output = { line: (text) => void stdout.push(`${text}\n`), error: () => undefined };
  await run(argv, output, {
    readAll: async () => {
      if (isRead) throw new Error('stdin was read twice');
      isRead = true;
      return new TextEncoder().encode(stdin);
    },
    askHidden: null,
    write: (data) => void stdout.push(typeof data === 'string' ? data : `${data.length} bytes`),
    note: (text) => void stderr.push(`${text}\n`),
  });
  return { stdout: stdout.join(''), stderr: stderr.join('') };
};
