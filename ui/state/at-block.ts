import type { Bench } from './bench.ts';

/** The block whose state is looked at: the best one, live, or a fixed one. */
export type At = { readonly hash: string; readonly number: number; readonly live: boolean };

/** Resolves a hash, a number or nothing (best) to a block; null when the node has none such. */
export const loadAt = async (node: Bench['node'], what: string | null): Promise<At | null> => {
  const isHash = what !== null && /^0x[0-9a-f]{64}$/i.test(what);
  const hash = isHash
    ? what
    : ((await node.request('chain_getBlockHash', what === null ? [] : [Number(what)])) as string | null);
  if (hash === null) return null;
  const header = (await node.request('chain_getHeader', [hash])) as { number: string } | null;
  return header === null ? null : { hash, number: Number(header.number), live: what === null };
};
