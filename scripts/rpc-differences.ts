// Names of the SDK or of the new specification that this node does not answer to, each with the reason.

/** `names` is what people read and the tests match: a whole name, or a prefix that ends in `*`. */
export type Difference = {
  readonly names: string;
  readonly reason: string;
};

/** The recorded native node, a full node without further options, has none of these either: all of its names are answered to. */
export const differences: readonly Difference[] = [
  {
    names: 'statement_*',
    reason:
      'the statement store: statements that peers gossip, in a node started with one; this node has no statement protocol to get them by',
  },
  {
    names: 'mixnet_*',
    reason:
      'hands a transaction to a mix network of validators, in a node started with one; this node has none to hand it to',
  },
  {
    names: 'sudo_*',
    reason:
      'unstable drafts of the new specification, which the SDK does not serve; `author_rotateKeys` makes session keys',
  },
];

const matches = ({ names }: Difference, name: string): boolean =>
  names.endsWith('*') ? name.startsWith(names.slice(0, -1)) : name === names;

export const isExplained = (name: string, list: readonly Difference[] = differences): boolean =>
  list.some((one) => matches(one, name));
