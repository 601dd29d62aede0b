import { errorToLog, NodeError } from '../../src/protocol/errors.ts';

/** Where a command writes its output. */
export type Output = { line(text: string): void; error(error: unknown, json: boolean): void };

const toCoded = (error: unknown): { readonly code: string; readonly message: string } => {
  if (error instanceof NodeError) return { code: error.code, message: error.message };
  const logged = errorToLog(error);
  if (logged.startsWith('LimitReached: '))
    return { code: 'LimitReached', message: logged.slice('LimitReached: '.length) };
  return {
    code: 'Internal',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
};

/** Text for a terminal. What a file or a client wrote may contain control sequences. */
export const forTerminal = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '?');

/** Writes a line about what the operator should know to stderr, as JSON if the command was asked for it. */
export const notice = (text: string, json: boolean): void =>
  void process.stderr.write(
    `${json ? JSON.stringify({ event: 'notice', message: text }) : forTerminal(text)}\n`,
  );

/** Results on stdout, errors with their code on stderr. */
export const processOutput: Output = {
  line: (text) => void process.stdout.write(`${text}\n`),
  error: (error, json) => {
    const { code, message } = toCoded(error);
    const text = json
      ? JSON.stringify({ event: 'error', code, message })
      : forTerminal(`Error ${code}: ${message}`);
    process.stderr.write(`${text}\n`);
  },
};
