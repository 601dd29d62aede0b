import { NodeError } from '../../src/protocol/errors.ts';
import { maxStepsWaiting } from '../../src/protocol/limits.ts';
import type { ChainEvent } from '../chain/events.ts';
import type { RpcParts } from './parts.ts';

type Step = () => Promise<void> | undefined;

/**
 * What a subscription needs of the node: its events, and who hears of a fault that has no request to be told
 * to.
 */
export type Followed = {
  readonly chain: Pick<RpcParts['chain'], 'onEvent'>;
  readonly onError: RpcParts['onError'];
};

/** The block went, or its state, between the event and its turn: there is nothing left to tell of. */
const isGone = (error: unknown): boolean =>
  error instanceof NodeError && (error.code === 'UnknownBlock' || error.code === 'StateDiscarded');

/**
 * Runs `first`, then `handle` for every chain event from now on, one after another in their order.
 * Work that is done at once stays in the tick of its event, so that a block's notifications leave together.
 * When too many events wait the follow ends, and `lose` is called.
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
        // One item that cannot be told does not end the subscription.
        if (!isOver && !isGone(error)) onError(error);
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
