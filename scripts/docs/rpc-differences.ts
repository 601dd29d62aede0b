// Methods of the SDK or the new specification that this node does not have, each with the reason.

/** `names` is shown in the docs and matched by the tests: a full name, or a prefix that ends in `*`. */
export type Difference = {
  readonly names: string;
  readonly reason: string;
};

/** The recorded native node, a full node without extra options, does not have these either. */
export const differences: readonly Difference[] = [
  {
    names: 'statement_*',
    reason:
      'the optional statement store, for statements gossiped by peers; this node has no statement protocol to receive them',
  },
  {
    names: 'mixnet_*',
    reason:
      'the optional mix network of validators, to submit transactions anonymously; this node is not connected to one',
  },
  {
    names: 'sudo_*',
    reason:
      'unstable drafts of the new specification, not implemented in the SDK; use `author_rotateKeys` to generate session keys',
  },
];

const matches = ({ names }: Difference, name: string): boolean =>
  names.endsWith('*') ? name.startsWith(names.slice(0, -1)) : name === names;

export const isExplained = (name: string, list: readonly Difference[] = differences): boolean =>
  list.some((one) => matches(one, name));
