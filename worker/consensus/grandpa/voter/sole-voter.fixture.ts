import type { BlockHash } from '../../../codec/identity.ts';

const publicKey = new Uint8Array(32).fill(1);

/** How the machine of the only voter of a set starts on a base. */
export const soleVoter = (base: { readonly hash: BlockHash; readonly number: number }) => ({
  setId: 0n,
  authorities: [{ publicKey, weight: 1n }],
  local: publicKey,
  gossipMs: 100,
  round: 0n,
  votes: [],
  base,
  finalized: base,
});

/** What the voter adds to a vote. */
export const unchecked = { signature: new Uint8Array(64), voter: publicKey };
