import type { WorkerHost } from '../begin.ts';
import type { NodeError } from '../protocol/errors.ts';
import { holdLock } from '../protocol/port.ts';
import { standbyLock } from './messages.ts';

/** A worker that waits until the tab with the node is gone. */
export type Standby = {
  /**
   * The worker, if this is the tab that has it; the caller uses it or ends it. Called once. `seizes`: the
   * other tab gave up the chain.
   */
  take(): { readonly host: WorkerHost; readonly seizes: boolean } | null;
};

/**
 * Keeps a worker ready to take over a chain, with its code compiled, in one of the waiting tabs only, because
 * it costs memory. When that tab uses it, or ends, the next one prepares its own. `ended` is the end of the
 * other tab's node, with the reason.
 */
export const keepStandby = (chain: string, ended: AbortSignal, prepare: () => WorkerHost): Standby => {
  const over = new AbortController();
  let host: WorkerHost | null = null;
  holdLock(standbyLock(chain), over.signal, () => {
    host = prepare();
  });
  return {
    take: () => {
      over.abort();
      const taken = host;
      host = null;
      const reason = ended.reason as NodeError | undefined;
      return taken && { host: taken, seizes: reason?.details['hasLeft'] === true };
    },
  };
};
