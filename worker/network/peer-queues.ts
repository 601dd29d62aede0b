import { NodeError } from '../../src/protocol/errors.ts';
import { createQueue, type Queue } from '../tasks/queue.ts';

/**
 * What peers have requested, served one after another for each, so that one with many requests delays no other. Of a
 * peer's requests at most `maxWaiting` wait.
 */
export const createPeerQueues = (maxWaiting: number, onError: (error: unknown) => void) => {
  const queues = new Map<string, Queue>();
  return {
    /** Resolves with the response; with null, if too many wait or it fails. */
    run: async (peer: string, respond: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> => {
      const queue = queues.get(peer) ?? createQueue(maxWaiting);
      queues.set(peer, queue);
      try {
        return await queue.run(respond);
      } catch (error) {
        if (!(error instanceof NodeError && error.code === 'QueueFull')) onError(error);
        return null;
      }
    },
    forget: (peer: string): void => void queues.delete(peer),
  };
};
