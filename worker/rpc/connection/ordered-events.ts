import { maxStepsWaiting } from '../../../src/protocol/limits.ts';
import type { ChainEvent } from '../../chain/events.ts';
import { isUnavailable } from '../../chain/refusal.ts';
import type { RpcParts } from '../parts.ts';

type Step = () => Promise<void> | undefined;

/** What a subscription needs from the node: its events, and a sink for errors that belong to no request. */
export type Followed = {
  readonly chain: Pick<RpcParts['chain'], 'onEvent'>;
  readonly onError: RpcParts['onError'];
};

/**
 * Runs `first`, then `handle` for every later chain event, in order and one at a time. Synchronous work stays
 * in the tick of its event, so that a block's notifications are sent together. If too many events are queued,
 * the follow ends and `lose` is called.
 */
export const followInOrder = (
  { chain, onError }: Followed,
  first: () => Promise<void>,
  handle: (event: ChainEvent) => Promise<void> | undefined,
  lose: () => void,
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
      } catch (error) {
        // One failed item does not end the subscription. If the block or its state was removed between the event
        // and its turn, there is nothing to report.
        if (!isOver && !isUnavailable(error)) onError(error);
      }
    }
    isRunning = false;
  };
  const off = chain.onEvent((event) => {
    waiting.push(() => handle(event));
    if (!isRunning) void run();
    else if (waiting.length > maxStepsWaiting) {
      end();
      lose();
    }
  });
  const end = (): void => {
    isOver = true;
    waiting.length = 0;
    off();
  };
  void run();
  return end;
};
