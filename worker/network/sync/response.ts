import { hashHeader } from '../../chain/hashes.ts';
import type { BlockRef } from '../../chain/tree.ts';
import type { Header } from '../../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { SignedBlock } from '../../codec/signed-block.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { decodeBlockResponse } from '../protocol/block-request.ts';
import { reputationChanges } from '../reputation-changes.ts';

type Hashing = Pick<Crypto, 'blake2b256'>;

/** A block of a peer that links up with its neighbors in the response, but was not verified. */
export type Downloaded = BlockRef & {
  readonly block: SignedBlock;
  readonly parent: BlockHash;
  readonly bytes: number;
  /** Who has sent it. */
  readonly peer: string;
};

/** Why a response is no good, and what that costs. */
export type BadResponse = { readonly change: number };

/** Ascending blocks of a range, or descending ones from a hash. */
export type Expected =
  | { readonly from: number; readonly isDescending: false; readonly max: number }
  | { readonly from: BlockHash; readonly isDescending: true; readonly max: number };

const justificationBytes = ({ justifications }: SignedBlock): number =>
  justifications?.reduce((sum, [, data]) => sum + data.length, 0) ?? 0;

const headerBytes = 300;

const sizeOf = (block: SignedBlock): number =>
  block.extrinsics.reduce((sum, { length }) => sum + length, headerBytes) + justificationBytes(block);

const bad = (change: number): BadResponse => ({ change });

/** The blocks of a response, ascending; or what it costs its sender (sc-network-sync `validate_blocks`). */
export const readBlocks = (
  crypto: Hashing,
  peer: string,
  bytes: Uint8Array,
  { from, isDescending, max }: Expected,
): Downloaded[] | BadResponse => {
  const received = decodeBlockResponse(bytes);
  if (received === null) return bad(reputationChanges.undecodable);
  if (received.length === 0 || received.length > max) return bad(reputationChanges.badResponse);
  const blocks: Downloaded[] = [];
  for (const { header, extrinsics, justifications } of received) {
    if (header === null) return bad(reputationChanges.incompleteResponse);
    const block = { header, extrinsics, justifications };
    const hash = hashHeader(crypto, header);
    const parent = bytesToBlockHash(header.parentHash);
    blocks.push({ hash, number: header.number, block, parent, bytes: sizeOf(block), peer });
  }
  const [first] = blocks;
  if (first === undefined || first[isDescending ? 'hash' : 'number'] !== from)
    return bad(reputationChanges.badResponse);
  if (isDescending) blocks.reverse();
  const isLinked = blocks.every(({ parent, number }, index) => {
    const before = blocks[index - 1];
    return before === undefined || (before.hash === parent && before.number + 1 === number);
  });
  return isLinked ? blocks : bad(reputationChanges.badResponse);
};

/** The header of a response to a request of one; null if the peer has no block there. */
export const readHeaderAt = (bytes: Uint8Array, number: number): Header | null | BadResponse => {
  const received = decodeBlockResponse(bytes);
  if (received === null) return bad(reputationChanges.undecodable);
  const [found] = received;
  if (found === undefined) return null;
  const { header } = found;
  if (header === null) return bad(reputationChanges.incompleteResponse);
  return received.length === 1 && header.number === number ? header : bad(reputationChanges.badResponse);
};

export const isBadResponse = (value: object | null): value is BadResponse =>
  value !== null && 'change' in value;
