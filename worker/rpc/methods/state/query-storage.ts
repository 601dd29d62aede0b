import { NodeError } from '../../../../src/protocol/errors.ts';
import { bytesToHex, bytesToHexOrNull } from '../../../bytes/hex.ts';
import type { Header } from '../../../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../../codec/identity.ts';
import { lookUpText, RpcError } from '../../errors.ts';
import { readState } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { type MaybePromise, type PreserializedJson, preserialized } from '../../results.ts';
import { type Budget, hexCharacters } from './walks.ts';

const keysAtOnce = 64;

type Deps = Pick<RpcParts, 'chain'>;
type Change = [key: string, value: string | null];
type ChangeSet = { block: string; changes: Change[] };
type Range = { readonly from: BlockHash; readonly to: BlockHash };

/** The quote before the bracket is missing in the SDK as well. */
export const badRange = (from: string, to: string, details: string): RpcError =>
  new RpcError(4001, `Cannot resolve a block range ['"${from}"' ... '"${to}"]. ${details}`);

const loadHeader = async (
  { chain }: Deps,
  hash: BlockHash,
  fail: (details: string) => RpcError,
): Promise<Header> => {
  const header = await chain.loadHeader(hash);
  if (header !== null) return header;
  throw fail(lookUpText(new NodeError('UnknownBlock'), 'state', hash));
};

/** The blocks from `from` to its descendant `to`, oldest first. Throws 4001. */
const loadRange = async (
  deps: Deps,
  from: BlockHash,
  to: BlockHash,
  budget: Budget,
): Promise<BlockHash[]> => {
  const unknown = (details: string): RpcError => badRange(from, `Some(${to})`, details);
  const first = await loadHeader(deps, from, unknown);
  const last = await loadHeader(deps, to, unknown);
  const refuse = (details: string): RpcError =>
    badRange(`${first.number} (${from})`, `${last.number} (${to})`, details);
  if (first.number > last.number) throw refuse('from number > to number');
  const hashes: BlockHash[] = [to];
  let header = last;
  while (header.number > first.number) {
    const parent = bytesToBlockHash(header.parentHash);
    header = await loadHeader(deps, parent, refuse);
    hashes.push(parent);
    await budget.rest();
  }
  if (hashes.at(-1) !== from) throw refuse('from and to are on different forks');
  return hashes.reverse();
};

/** More keys are read in turns. */
const keysInOneTurn = 256;

/** The last four bytes, in which keys of maps differ. */
const tailOf = (key: Uint8Array): number => {
  const at = key.length;
  return (
    ((key[at - 4] ?? 0) << 24) | ((key[at - 3] ?? 0) << 16) | ((key[at - 2] ?? 0) << 8) | (key[at - 1] ?? 0)
  );
};

/** The text of the only set of a query, which contains each key once. */
const writeSet = (
  block: BlockHash,
  keys: readonly Uint8Array[],
  values: readonly (Uint8Array | null)[],
  budget: Budget,
): string => {
  let text = `[{"block":"${block}","changes":[`;
  for (const [index, key] of keys.entries()) {
    const value = values[index] ?? null;
    budget.spend(2 * key.length + 7 + hexCharacters(value));
    const start = index === 0 ? '["' : ',["';
    text += `${start}${bytesToHex(key)}",${value === null ? 'null' : `"${bytesToHex(value)}"`}]`;
  }
  return `${text}]}]`;
};

/**
 * The values of a few keys in one block, as text, if all of it is in memory. Most queries are such. Null also if a key may be
 * listed twice.
 */
const queryAtOnce = (
  { chain }: Deps,
  keys: readonly Uint8Array[],
  block: BlockHash,
  budget: Budget,
): PreserializedJson<ChangeSet[]> | null => {
  if (keys.length === 0 || keys.length > keysInOneTurn || chain.tryHeader(block) === null) return null;
  if (new Set(keys.map(tailOf)).size < keys.length) return null;
  const read = chain.tryState(block, (backend) => keys.map((key) => backend.get(key)));
  return read === null ? null : preserialized(writeSet(block, keys, read.value, budget));
};

/**
 * The values of the keys over a line of blocks: the first set contains every key, later ones the changes. A
 * block without changes produces no set. Yields every 10 ms.
 */
const queryRange = async (
  deps: Deps,
  keys: readonly Uint8Array[],
  range: Range,
  budget: Budget,
): Promise<ChangeSet[]> => {
  const blocks = await loadRange(deps, range.from, range.to, budget);
  const known = new Map<string, string | null>();
  const names = keys.map(bytesToHex);
  const sets: ChangeSet[] = [];
  for (const block of keys.length === 0 ? [] : blocks) {
    const changes: Change[] = [];
    for (let at = 0; at < keys.length; at += keysAtOnce) {
      const some = keys.slice(at, at + keysAtOnce);
      const values = await readState(deps, block, (backend) => some.map((key) => backend.get(key)));
      for (const [index, value] of values.entries()) {
        const name = names[at + index] as string;
        const text = bytesToHexOrNull(value);
        if (known.get(name) === text) continue;
        known.set(name, text);
        budget.spend(name.length + hexCharacters(value) + 5);
        changes.push([name, text]);
      }
      await budget.rest();
    }
    if (changes.length > 0) sets.push({ block, changes });
  }
  return sets;
};

/** The same; at once if possible. */
export const queryStorage = (
  deps: Deps,
  keys: readonly Uint8Array[],
  range: Range,
  budget: Budget,
): MaybePromise<ChangeSet[] | PreserializedJson<ChangeSet[]>> =>
  (range.from === range.to ? queryAtOnce(deps, keys, range.to, budget) : null) ??
  queryRange(deps, keys, range, budget);
