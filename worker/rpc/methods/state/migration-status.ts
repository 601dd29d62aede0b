import { noBytes, startsWithBytes } from '../../../bytes/bytes.ts';
import { isUnavailable } from '../../../chain/refusal.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import { type Backend, childPrefix } from '../../../state/backend.ts';
import { internalError, lookUpText, RpcError } from '../../errors.ts';
import type { RpcParts } from '../../parts.ts';
import { type Budget, type KeyWalk, walkKeys } from './walks.ts';

/** Values of this length or more are stored under their hash in state version 1. */
const hashedFrom = 33;

type Counts = { remaining: number; total: number };

const failed = (why: string): RpcError =>
  new RpcError(internalError.code, 'Error while checking migration state', why);

/** Counts the values of one trie, and reports each key to `onKey`. */
const count = async (
  parts: Pick<RpcParts, 'chain'>,
  walk: KeyWalk,
  budget: Budget,
  onKey: (key: Uint8Array) => void,
): Promise<Counts> => {
  const counts: Counts = { remaining: 0, total: 0 };
  const read = (_backend: Backend, key: Uint8Array, inlineLength: number | null) =>
    [key, inlineLength] as const;
  await walkKeys(parts, walk, budget, read, ([key, inlineLength]) => {
    counts.total++;
    if (inlineLength !== null && inlineLength >= hashedFrom) counts.remaining++;
    onKey(key);
  });
  return counts;
};

/**
 * The values that state version 1 has yet to move, including child tries. Throws -32603 for an unknown block.
 */
export const migrationStatus = async (parts: Pick<RpcParts, 'chain'>, at: BlockHash, budget: Budget) => {
  try {
    await parts.chain.withState(at, () => undefined);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw failed(lookUpText(error, 'state', at));
  }
  const children: Uint8Array[] = [];
  const top = await count(parts, { at, prefix: noBytes }, budget, (key) => {
    if (startsWithBytes(key, childPrefix)) children.push(key.subarray(childPrefix.length));
  });
  let childRemainingToMigrate = 0;
  let totalChild = 0;
  for (const child of children) {
    const one = await count(parts, { at, child, prefix: noBytes }, budget, () => undefined);
    childRemainingToMigrate += one.remaining;
    totalChild += one.total;
  }
  return { topRemainingToMigrate: top.remaining, childRemainingToMigrate, totalTop: top.total, totalChild };
};
