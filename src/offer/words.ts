/** The channel on which pages of an origin find the nodes that others offer. */
export const offersChannel = 'tabnode.offers';

/** A node that a page offers. */
export type OfferInfo = {
  /** Of this offer alone. */
  readonly uuid: string;
  readonly name: string;
  readonly genesisHash: string;
};

export type OfferWord = { readonly ask: 'offers' } | { readonly offer: OfferInfo };

/** Under this name a page leads the others, as if the node had a stored chain of this name (tabs/words.ts). */
export const offerChain = (uuid: string): string => `offer:${uuid}`;
