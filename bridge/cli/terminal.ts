import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
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

/**
 * Asks a yes/no question on the terminal. Throws `BadConfig` if there is no terminal.
 *
 * @param flags What to pass instead, such as `--yes`.
 */
export const confirm = async (question: string, flags: string): Promise<boolean> => {
  if (!process.stdin.isTTY) throw new NodeError('BadConfig', `Not interactive: pass ${flags}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
};

/** A status line on a terminal that shows the progress of long work. */
export type Progress = {
  /** Such as `1,200 of 5,000 blocks`. */
  show(done: number, total?: number | null): void;
  /** Removes the line. */
  end(): void;
};

/** Minimum time between updates, in ms. */
const interval = 100;

export const digits = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

const barWidth = 20;

const bar = (share: number): string => {
  const full = Math.round(Math.min(share, 1) * barWidth);
  return `[${'='.repeat(full)}${' '.repeat(barWidth - full)}] `;
};

type StatusStream = { readonly isTTY?: boolean; write(text: string): unknown };

/** A line that is replaced by each text, at most ten times per second. `text` is only called for what is shown. */
type StatusLine = { show(text: () => string): void; end(): void };

/** A status line on stderr, only if that is a terminal. */
export const createStatusLine = (
  terminal: StatusStream = process.stderr,
  now: () => number = () => performance.now(),
): StatusLine => {
  if (terminal.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (text) => {
      const at = now();
      if (at - shownAt < interval) return;
      shownAt = at;
      terminal.write(`\r\u001b[K${text()}`);
    },
    end: () => {
      if (shownAt > Number.NEGATIVE_INFINITY) terminal.write('\r\u001b[K');
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
};

/**
 * Progress on stderr, only if that is a terminal.
 *
 * @param what What is counted, in the plural.
 */
export const createProgress = (
  what: string,
  terminal: StatusStream = process.stderr,
  now: () => number = () => performance.now(),
): Progress => {
  const line = createStatusLine(terminal, now);
  const from = now();
  return {
    show: (done, total = null) =>
      line.show(() => {
        const at = now();
        const rate = at > from ? `, ${digits((done * 1000) / (at - from))}/s` : '';
        const count =
          total === null ? digits(done) : `${bar(done / total)}${digits(done)} of ${digits(total)}`;
        return `${count} ${what}${rate}`;
      }),
    end: line.end,
  };
};

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // The first argument of `start` is a window title.
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the user's browser. Does nothing if there is none. */
export const openInBrowser = (address: string): void => {
  const [command, ...first] = openers[process.platform] ?? ['xdg-open'];
  // cmd.exe treats `&` as a command separator.
  const given = process.platform === 'win32' ? address.replaceAll('&', '^&') : address;
  const child = spawn(command, [...first, given], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
};

/**
 * Milliseconds that have passed, for time limits: unlike the date, they do not jump when the clock of the machine is
 * set.
 */
export const elapsedMs = (): number => performance.now();
