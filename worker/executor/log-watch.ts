import { Reader } from '../bytes/reader.ts';
import type { Overlay } from '../state/overlay.ts';
import { cut, type LogEntry } from './call-log.ts';
import type { LogFilter } from './log-filter.ts';
import type { CallResult } from './runtime.ts';

/**
 * A log line of a runtime or of the node, with the number of the block that the call built, ran or followed;
 * null for other calls.
 */
export type RuntimeLog = LogEntry & { readonly block: number | null };

/** The readers of runtime logs. Without readers, a call costs one comparison. */
export type LogWatch = {
  /** The result of `ext_logging_max_level`: 0 off, 1 error … 5 trace. */
  maxLevel(): number;
  /**
   * Emits lines up to this level (0 error … 4 trace), or those that the filter passes, until the returned
   * function is called.
   */
  watch(level: number | null, emit: (log: RuntimeLog) => void): () => void;
  /** Emits one of the node's own lines. */
  note(log: RuntimeLog): void;
  /** Called after every runtime call. */
  ended(
    call: { readonly overlay: Overlay; readonly method: string; readonly input: Uint8Array },
    result: CallResult,
  ): void;
};

const withHeader = ['Core_initialize_block', 'Core_execute_block', 'OffchainWorkerApi_offchain_worker'];
const shortestHeader = 32 + 1;

/** The block number of the header at the start of a call's input; null if there is none. */
const headerNumber = (method: string, input: Uint8Array): number | null => {
  if (!withHeader.includes(method) || input.length < shortestHeader) return null;
  const reader = new Reader(input);
  reader.take(32);
  return reader.compact();
};

const trapLine = (method: string, result: CallResult): readonly LogEntry[] =>
  result.ok || result.kind === 'missingExport'
    ? []
    : [{ level: 0, target: 'executor', message: cut(`${method}: ${result.trap}`) }];

/** Runtimes log what the filter passes, and more while a reader requests it. */
export const createLogWatch = (filter: LogFilter): LogWatch => {
  const watchers = new Set<{ readonly level: number | null; readonly emit: (log: RuntimeLog) => void }>();
  // The calls that build a block share its overlay, but only the first contains the block's number.
  const blocks = new WeakMap<Overlay, number>();
  const emit = (log: RuntimeLog): void => {
    for (const { level, emit: listener } of [...watchers])
      if (level === null ? filter.allows(log.target, log.level) : log.level <= level) listener(log);
  };
  return {
    maxLevel: () => {
      let most = filter.maxLevel();
      for (const { level } of watchers) if (level !== null) most = Math.max(most, level + 1);
      return most;
    },
    watch: (most, listener) => {
      const watcher = { level: most, emit: listener };
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
      };
    },
    note: emit,
    ended: ({ overlay, method, input }, result) => {
      if (watchers.size === 0) return;
      const named = headerNumber(method, input);
      if (named !== null) blocks.set(overlay, named);
      const block = named ?? blocks.get(overlay) ?? null;
      for (const line of [...result.logs, ...trapLine(method, result)]) emit({ ...line, block });
    },
  };
};
