// Names that a polkadot-sdk node answers to and this node does not, each with the reason.

/** `names` is what people read and the tests match: a whole name, or a prefix that ends in `*`. */
export type Difference = {
  readonly names: string;
  readonly reason: string;
};

export const differences: readonly Difference[] = [
  {
    names: 'bitswap_v1_get',
    reason: 'serves the transaction storage chain over IPFS; this node keeps no such index',
  },
];

const matches = ({ names }: Difference, name: string): boolean =>
  names.endsWith('*') ? name.startsWith(names.slice(0, -1)) : name === names;

export const isExplained = (name: string, list: readonly Difference[] = differences): boolean =>
  list.some((one) => matches(one, name));
