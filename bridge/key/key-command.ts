import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { NodeError } from '../../src/protocol/errors.ts';
import { bad, read } from '../cli/arguments.ts';
import type { Output } from '../cli/terminal.ts';
import { keyOptions } from './options.ts';

/** Where the key commands read what is not in their arguments, and write what is not a result. */
export type KeyIo = {
  /** All of stdin; it can be read once. Throws `BadConfig` the second time. */
  readAll(): Promise<Uint8Array>;
  /** A line from the terminal that is not shown while it is typed; null without a terminal. */
  readonly askHidden: ((question: string) => Promise<string>) | null;
  /** To stdout as it is. */
  write(data: string | Uint8Array): void;
  /** A line on stderr. */
  note(text: string): void;
};

const askHidden = async (question: string): Promise<string> => {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_part, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
};

/** The streams of the process. */
export const createProcessIo = (): KeyIo => {
  let isRead = false;
  return {
    readAll: async () => {
      if (isRead) throw new NodeError('BadConfig', 'stdin cannot hold both the secret and the message');
      isRead = true;
      const parts: Uint8Array[] = [];
      for await (const part of process.stdin) parts.push(part as Uint8Array);
      return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    },
    askHidden: process.stdin.isTTY ? askHidden : null,
    write: (data) => void process.stdout.write(data),
    note: (text) => void process.stderr.write(`${text}\n`),
  };
};

export type KeyCommandName = keyof typeof keyOptions;

/** The values of a key command's options, and its other arguments. */
export type KeyArguments<Name extends KeyCommandName> = ReturnType<typeof read<(typeof keyOptions)[Name]>>;

export type KeyCommand = (argv: readonly string[], output: Output, io?: KeyIo) => Promise<void>;

/** A key command: `run` gets its arguments parsed. */
export const keyCommand =
  <Name extends KeyCommandName>(
    name: Name,
    run: (given: KeyArguments<Name>, output: Output, io: KeyIo) => Promise<void>,
  ): KeyCommand =>
  async (argv, output, io = createProcessIo()) =>
    run(read(argv, keyOptions[name], true), output, io);

/**
 * Throws if a command that takes options only was given an argument. It may be a secret; the parser would
 * print it, so it is refused here.
 */
export const refuseArguments = (name: KeyCommandName, positionals: readonly string[], instead = ''): void => {
  if (positionals.length > 0) throw bad(`key ${name} takes no arguments${instead}`);
};
