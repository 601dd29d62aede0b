import { groupDigits } from './format.ts';
import type { UiNode } from './ui-node.ts';

type Asked = Pick<UiNode, 'request'>;

/** The block whose state is looked at: the best one, live, or a fixed one. */
export type At = { readonly hash: string; readonly number: number; readonly live: boolean };

/** Block numbers are u32: the node refuses to look for a higher one. */
const mostNumber = 2 ** 32 - 1;

export const isBlockHash = (what: string): boolean => /^0x[0-9a-f]{64}$/i.test(what);

/** The hash that a hash, a number or nothing (best) means; null where the node has none such, and for other texts. */
export const loadHash = async (node: Asked, what: string | number | null): Promise<string | null> => {
  const text = String(what);
  if (isBlockHash(text)) return text;
  if (what !== null && (!/^\d+$/.test(text) || Number(text) > mostNumber)) return null;
  const hash = await node.request('chain_getBlockHash', what === null ? [] : [Number(what)]);
  return typeof hash === 'string' ? hash : null;
};

/** Why there is no block of this name, which is a hash, a number or what somebody typed in place of one. */
export const noBlockText = (what: string, bestNumber: number): string => {
  if (isBlockHash(what)) return `This node knows no block ${what}. Abandoned forks are pruned.`;
  return /^\d+$/.test(what)
    ? `This node knows no block ${what}: the best one is #${groupDigits(bestNumber)}.`
    : `“${what}” is neither the number of a block nor a hash: 0x and 64 hexadecimal digits.`;
};

/** Resolves a hash, a number or nothing (best) to a block; null when the node has none such. */
export const loadAt = async (node: Asked, what: string | null): Promise<At | null> => {
  const hash = await loadHash(node, what);
  if (hash === null) return null;
  const header = await node.request('chain_getHeader', [hash]);
  return header === null ? null : { hash, number: Number(header.number), live: what === null };
};
