import { groupDigits, shortHex } from '../kit/text/format.ts';
import type { UiNode } from './client/ui-node.ts';

type Asked = Pick<UiNode, 'request'>;

/** The block whose state is shown: the best block, live, or a fixed one. */
export type At = { readonly hash: string; readonly number: number; readonly live: boolean };

/** Block numbers are u32; the node rejects higher ones. */
const mostNumber = 2 ** 32 - 1;

export const isBlockHash = (what: string): boolean => /^0x[0-9a-f]{64}$/i.test(what);

/**
 * Resolves a hash, a number or null (best) to a block hash; null if there is no such block, or for any other
 * text.
 */
export const loadHash = async (node: Asked, what: string | number | null): Promise<string | null> => {
  const text = String(what);
  if (isBlockHash(text)) return text;
  if (what !== null && (!/^\d+$/.test(text) || Number(text) > mostNumber)) return null;
  const hash = await node.request('chain_getBlockHash', what === null ? [] : [Number(what)]);
  return typeof hash === 'string' ? hash : null;
};

/** Explains why a block was not found; `what` is a hash, a number or any other typed text. */
export const noBlockText = (what: string, bestNumber: number): string => {
  const short = shortHex(what, 40, 4);
  if (isBlockHash(what)) return `This node has no block ${what}. Abandoned forks are pruned.`;
  return /^\d+$/.test(what)
    ? `This node has no block ${short}: the best one is #${groupDigits(bestNumber)}.`
    : `“${short}” is neither a block number nor a hash (0x followed by 64 hexadecimal digits).`;
};

/** Resolves a hash, a number or null (best) to a block; null if the node does not have it. */
export const loadAt = async (node: Asked, what: string | null): Promise<At | null> => {
  const hash = await loadHash(node, what);
  if (hash === null) return null;
  const header = await node.request('chain_getHeader', [hash]);
  return header === null ? null : { hash, number: Number(header.number), live: what === null };
};
