import { NodeError } from '../../../src/protocol/errors.ts';
import type { Context } from './tool.ts';

export type BlockAt = { readonly hash: string; readonly number: number };

type Header = { readonly number: string | number; readonly parentHash: string };

const hashText = /^0x[0-9a-fA-F]{64}$/;

const hashOf = async ({ request }: Context, at: string | number | undefined): Promise<unknown> => {
  if (at === undefined || at === 'best') return request('chain_getBlockHash', []);
  if (at === 'finalized') return request('chain_getFinalizedHead', []);
  if (typeof at === 'number') return request('chain_getBlockHash', [at]);
  if (/^\d{1,10}$/.test(at)) return request('chain_getBlockHash', [Number(at)]);
  if (hashText.test(at)) return at.toLowerCase();
  throw new NodeError('BadValue', `"${at}" is not a block: give a 0x hash, a number, "best" or "finalized"`);
};

export const readHeader = async ({ request }: Context, hash: string): Promise<Header> => {
  const header = (await request('chain_getHeader', [hash])) as Header | null;
  if (header === null) throw new NodeError('UnknownBlock', `Block ${hash} is not known`);
  return header;
};

/** Resolves the block once, so that the whole response is about the same one. Throws `UnknownBlock`. */
export const findBlock = async (context: Context, at: string | number | undefined): Promise<BlockAt> => {
  const hash = await hashOf(context, at);
  if (typeof hash !== 'string') throw new NodeError('UnknownBlock', `There is no block ${at}`);
  const { number } = await readHeader(context, hash);
  return { hash, number: Number(number) };
};
