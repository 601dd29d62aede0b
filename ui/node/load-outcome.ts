import {
  type BlockEvent,
  type DispatchOutcome,
  decodeEvents,
  eventsKey,
  outcomeOf,
} from '../../src/scale/events.ts';
import { eventName, fieldOf } from '../../src/scale/names.ts';
import type { UiNode } from './client/ui-node.ts';
import type { Metas } from './metas.svelte.ts';

/** The fee that was paid, from the events of an extrinsic; null if they do not say. */
export const feeOf = (events: readonly BlockEvent[]): bigint | null => {
  const isPaid = ({ event }: BlockEvent) => eventName(event) === 'TransactionPayment.TransactionFeePaid';
  const paid = events.find(isPaid)?.event;
  const fee = fieldOf(paid?.kind === 'variant' ? paid.value : null, 'actual_fee');
  return fee?.kind === 'number' ? BigInt(fee.value) : null;
};

/** The outcome of an extrinsic in one block. */
export type Outcome = {
  /** Number of the block. */
  readonly number: number;
  readonly index: number;
  readonly events: readonly BlockEvent[];
  readonly outcome: DispatchOutcome;
};

/**
 * The outcome of an extrinsic in the block with this hash; null if the block does not contain it. Rejects if
 * a request fails or the events cannot be decoded.
 */
export const loadOutcome = async (
  node: Pick<UiNode, 'request'>,
  metas: Pick<Metas, 'of'>,
  hex: string,
  hash: string,
): Promise<Outcome | null> => {
  const signed = await node.request('chain_getBlock', [hash]);
  const index = signed?.block.extrinsics.indexOf(hex) ?? -1;
  if (signed === null || index < 0) return null;
  const [meta, stored] = await Promise.all([
    metas.of(hash, signed.block.header),
    node.request('state_getStorage', [eventsKey, hash]),
  ]);
  const all = decodeEvents(meta, stored);
  const events = all.filter(({ extrinsic }) => extrinsic === index);
  const outcome = outcomeOf(meta, events, index);
  return { number: Number(signed.block.header.number), index, events, outcome };
};
