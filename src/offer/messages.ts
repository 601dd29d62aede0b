/** The channel on which pages of an origin find the nodes that others offer. */
export const offersChannel = 'tabnode.offers';

/** A node that a page offers. */
export type OfferInfo = {
  /** Unique to this offer. */
  readonly uuid: string;
  readonly name: string;
  readonly genesisHash: string;
};

export type OfferMessage = { readonly ask: 'offers' } | { readonly offer: OfferInfo };

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 1000;

/** A message on the channel; null for anything else, because any script of the origin can post there. */
export const parseOfferMessage = (data: unknown): OfferMessage | null => {
  if (typeof data !== 'object' || data === null) return null;
  const { ask, offer } = data as { readonly ask?: unknown; readonly offer?: unknown };
  if (ask === 'offers') return { ask };
  if (typeof offer !== 'object' || offer === null) return null;
  const { uuid, name, genesisHash } = offer as OfferInfo;
  return [uuid, name, genesisHash].every(isText) ? { offer: { uuid, name, genesisHash } } : null;
};

/** Under this name a page leads the others, as if the node had a stored chain of this name (tabs/messages.ts). */
export const offerChain = (uuid: string): string => `offer:${uuid}`;
