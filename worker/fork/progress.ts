import type { ForkProgress } from '../../src/protocol/fork-source.ts';
import type { Origin } from '../chain/origin.ts';

/** Between two messages. */
const everyMs = 100;

/**
 * The origin, with a message about what was read after each change of that, at most ten per second. The last one is
 * never left out.
 */
export const reportProgress = (
  origin: Origin,
  port: MessagePort,
  schedule: (ms: number, run: () => void) => () => void,
): Origin => {
  let items = 0;
  let rest: (() => void) | null = null;
  let isDue = false;
  const post = (): void => {
    const { requests, bytes } = origin.stats();
    port.postMessage({ requests, bytes, items } satisfies ForkProgress);
    isDue = false;
    rest = schedule(everyMs, () => {
      rest = null;
      if (isDue) post();
    });
  };
  const report = (): void => {
    isDue = true;
    if (rest === null) post();
  };
  const stop = origin.onProgress(report);
  return {
    ...origin,
    nodes: (at, requests, wanted) => {
      for (const { keys } of requests) items += keys.length;
      report();
      return origin.nodes(at, requests, wanted);
    },
    close: () => {
      stop();
      rest?.();
      origin.close();
      port.close();
    },
  };
};
