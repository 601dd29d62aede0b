import { maxResultsAtOnce } from '../../../src/protocol/limits.ts';
import type { Incoming } from './message.ts';

/** Results up to this length are not worth remembering. */
const smallCharacters = 1024;

/** Methods whose first results are already large, so that even the first burst of them runs one by one. */
const largeAtOnce: readonly string[] = [
  'state_getMetadata',
  'state_getPairs',
  'state_queryStorage',
  'state_traceBlock',
  'sync_state_genSyncSpec',
  'dev_exportChain',
];

/** How long the results of each method have been lately, in characters. One for all clients of a server. */
export type ResultSizes = {
  expected(method: string): number;
  learn(method: string, characters: number): void;
};

export const createResultSizes = (): ResultSizes => {
  const sizes = new Map(largeAtOnce.map((method) => [method, maxResultsAtOnce]));
  return {
    expected: (method) => sizes.get(method) ?? 0,
    learn: (method, characters) => {
      const before = sizes.get(method) ?? 0;
      if (characters <= smallCharacters && before === 0) return;
      const now = Math.max(characters, (before + characters) >> 1);
      if (now > smallCharacters) sizes.set(method, now);
      else sizes.delete(method);
    },
  };
};

/** Why the transport takes no more: messages wait, or bytes do. */
type Reason = 'messages' | 'bytes';

/**
 * The results of one client between their handlers and its socket. Its next call waits while the transport is
 * full, and while the running calls are expected to fill it.
 */
export type ResultWindow = {
  setFull(reason: Reason, isFull: boolean): void;
  /** Reserves room for the results of a text that is being answered. Returns the function that frees it. */
  reserve(incoming: Incoming): () => void;
  /** Null if the next call may start, otherwise a promise that resolves when it may. */
  wait(): Promise<void> | null;
};

const nothing = (): void => undefined;

const sum = (incoming: Incoming, sizes: ResultSizes): number => {
  if (incoming.kind === 'refused') return 0;
  const messages = incoming.kind === 'single' ? [incoming.message] : incoming.messages;
  let characters = 0;
  for (const message of messages)
    if (message.kind === 'request') characters += sizes.expected(message.method);
  return Math.min(characters, maxResultsAtOnce);
};

/** `signal`: aborted when the client has gone, which ends all waiting. */
export const createResultWindow = (sizes: ResultSizes, signal: AbortSignal): ResultWindow => {
  const full = new Set<Reason>();
  let reserved = 0;
  let waiting: PromiseWithResolvers<void> | null = null;
  const isOpen = (): boolean => signal.aborted || (full.size === 0 && reserved < maxResultsAtOnce);
  const update = (): void => {
    if (waiting === null || !isOpen()) return;
    waiting.resolve();
    waiting = null;
  };
  signal.addEventListener('abort', update);
  return {
    setFull: (reason, isFull) => {
      if (isFull) full.add(reason);
      else full.delete(reason);
      update();
    },
    reserve: (incoming) => {
      const characters = sum(incoming, sizes);
      if (characters === 0) return nothing;
      reserved += characters;
      return () => {
        reserved -= characters;
        update();
      };
    },
    wait: () => {
      if (isOpen()) return null;
      waiting ??= Promise.withResolvers<void>();
      return waiting.promise;
    },
  };
};
