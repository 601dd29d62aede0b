import { maxLogCharacters, maxLogLines } from '../../src/protocol/limits.ts';

/** Level 0 error, 1 warn, 2 info, 3 debug, 4 trace. */
export type LogEntry = { readonly level: number; readonly target: string; readonly message: string };

/** The log of one call. It is bounded, because a call may log in a loop until its fuel is used up. */
export type CallLog = {
  add(entry: LogEntry): void;
  /**
   * The first lines, the number of lines omitted, and the last one, which may be the panic that ended the
   * call.
   */
  entries(method: string): readonly LogEntry[];
};

/** Truncates a message. Also used for texts that are not log lines, such as the reason of a trap. */
export const cut = (text: string): string =>
  text.length > maxLogCharacters ? `${text.slice(0, maxLogCharacters)}…` : text;

export const createCallLog = (): CallLog => {
  const first: LogEntry[] = [];
  let last: LogEntry | null = null;
  let left = 0;
  return {
    add: ({ level, target, message }) => {
      const entry = { level, target: cut(target), message: cut(message) };
      if (first.length < maxLogLines) {
        first.push(entry);
        return;
      }
      if (last !== null) left++;
      last = entry;
    },
    entries: (method) => {
      if (last === null) return first;
      if (left === 0) return [...first, last];
      return [...first, { level: 1, target: 'executor', message: `${method}: ${left} more lines` }, last];
    },
  };
};
