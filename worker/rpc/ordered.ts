import type { ChainEvent } from '../chain/events.ts';
import type { RpcParts } from './parts.ts';

type Step = () => Promise<void> | undefined;

/**
 * Runs `first`, then `handle` for every chain event from now on, one after another in their order.
 * Work that is done at once stays in the tick of its event, so that a block's notifications leave together.
 */
export const followInOrder = (
  chain: Pick<RpcParts['chain'], 'onEvent'>,
  first: () => Promise<void>,
  handle: (event: ChainEvent) => Promise<void> | undefined,
): (() => void) => {
  const waiting: Step[] = [first];
  let isRunning = false;
  let isOver = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (!isOver && waiting.length > 0) {
      try {
        const work = waiting.shift()?.();
        if (work !== undefined) await work;
      } catch {
        // One item that cannot be read (a state that was discarded meanwhile) does not end the subscription.
      }
    }
    isRunning = false;
  };
  const off = chain.onEvent((event) => {
    waiting.push(() => handle(event));
    if (!isRunning) void run();
  });
  void run();
  return () => {
    isOver = true;
    off();
  };
};
