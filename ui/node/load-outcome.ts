import {
  type BlockEvent,
  type DispatchOutcome,
  decodeEvents,
  eventsKey,
  outcomeOf,
} from '../../src/scale/events.ts';
import { eventName, fieldOf } from '../../src/scale/names.ts';
import type { HeaderJson } from './block-range.ts';
import type { UiNode } from './client/ui-node.ts';
import type { MetadataOfBlocks } from './metadata.svelte.ts';

/** The fee that was paid, from the events of an extrinsic; null if they do not say. */
export const feeOf = (events: readonly BlockEvent[]): bigint | null => {
  const isPaid = ({ event }: BlockEvent) => eventName(event) === 'TransactionPayment.TransactionFeePaid';
  const paid = events.find(isPaid)?.event;
  const fee = fieldOf(paid?.kind === 'variant' ? paid.value : null, 'actual_fee');
  return fee?.kind === 'number' ? BigInt(fee.value) : null;
};

/** The outcome of an extrinsic in one block. */
export type Outcome = {
  readonly events: readonly BlockEvent[];
  readonly outcome: DispatchOutcome;
};

type Node = Pick<UiNode, 'request'>;
type Place = { readonly hash: string; readonly header: HeaderJson; readonly index: number };

/** Where the block with this hash contains an extrinsic; null if it does not. */
export const findExtrinsic = async (
  node: Node,
  hash: string,
  isIt: (hex: string) => boolean,
): Promise<Place | null> => {
  const signed = await node.request('chain_getBlock', [hash]);
  const index = signed?.block.extrinsics.findIndex(isIt) ?? -1;
  return signed === null || index < 0 ? null : { hash, header: signed.block.header, index };
};

/** The outcome of the extrinsic at a place. Rejects if a request fails or the events cannot be decoded. */
export const readOutcome = async (
  node: Node,
  metadata: Pick<MetadataOfBlocks, 'of'>,
  { hash, header, index }: Place,
): Promise<Outcome> => {
  const [meta, stored] = await Promise.all([
    metadata.of(hash, header),
    node.request('state_getStorage', [eventsKey, hash]),
  ]);
  const events = decodeEvents(meta, stored).filter(({ extrinsic }) => extrinsic === index);
  return { events, outcome: outcomeOf(meta, events, index) };
};

/** The outcome of an extrinsic in the block with this hash; null if the block does not contain it. */
export const loadOutcome = async (
  node: Node,
  metadata: Pick<MetadataOfBlocks, 'of'>,
  hex: string,
  hash: string,
): Promise<Outcome | null> => {
  const place = await findExtrinsic(node, hash, (one) => one === hex);
  return place && readOutcome(node, metadata, place);
};
