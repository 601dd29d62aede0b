import { bytesToDigits } from '../../../../src/protocol/hex.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { Backend } from '../../../state/backend.ts';
import { startPace } from '../../../tasks/pace.ts';
import { MissingNodes } from '../../../trie/missing-nodes.ts';
import type { Trie } from '../../../trie/trie.ts';
import { RpcError, responseTooBig } from '../../errors.ts';
import type { CallContext } from '../../handlers.ts';
import { lookUp } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { hexListJson, type PreserializedJson } from '../../results.ts';

/** Time slice of a long read, in ms. */
const sliceMs = 10;
const keysBetweenLooks = 32;

/** The limits of one long read: turns of 10 ms, and the size of the response. */
export type Budget = {
  /** Adds characters to the response. Throws -32008 above the connection's limit. */
  spend(characters: number): void;
  isDue(): boolean;
  /** Yields if the turn is over. */
  rest(): Promise<void>;
};

export const createBudget = ({ maxResponseBytes }: Pick<CallContext, 'maxResponseBytes'>): Budget => {
  let left = maxResponseBytes;
  const pace = startPace(sliceMs);
  return {
    spend: (characters) => {
      left -= characters;
      if (left >= 0) return;
      const { code, message, data } = responseTooBig(maxResponseBytes);
      throw new RpcError(code, message, data);
    },
    isDue: pace.isDue,
    rest: async () => {
      await pace.pause();
    },
  };
};

/** Length of bytes as a hex string in a JSON list, including quotes and comma. */
export const hexCharacters = (bytes: Uint8Array | null): number =>
  bytes === null ? 5 : 2 * bytes.length + 5;

/** A walk over the keys of one state: of the main trie, or of a child trie by name. */
export type KeyWalk = {
  readonly at: BlockHash;
  readonly child?: Uint8Array;
  readonly prefix: Uint8Array;
  /** Starts after this key; null starts with the first one. */
  readonly start?: Uint8Array | null;
  /** The same trie in another state; subtrees equal in both are skipped. */
  readonly unlike?: Trie | null;
  /** Maximum number of keys; all if omitted. */
  readonly count?: number;
  /** Whether the values are read, too. */
  readonly readsValues?: boolean;
  /** Whether the keys are not kept. */
  readonly isBorrowed?: boolean;
};

/** `inlineLength` is the length of a value stored in its node; null if the value is stored under its hash. */
type ReadKey<T> = (backend: Backend, key: Uint8Array, inlineLength: number | null) => T;
type Page<T> = { readonly items: readonly T[]; readonly last: Uint8Array | null; readonly isEnd: boolean };

/**
 * Reads keys until the turn is over, the count is reached or a node is missing; keeps the keys read so far.
 */
const readPage = <T>(
  backend: Backend,
  walk: KeyWalk & { readonly count: number },
  budget: Budget,
  read: ReadKey<T>,
): Page<T> => {
  const items: T[] = [];
  let last: Uint8Array | null = null;
  let isEnd = true;
  const visit = (key: Uint8Array, inlineLength: number | null): boolean => {
    items.push(read(backend, key, inlineLength));
    last = key;
    if (items.length >= walk.count) return false;
    isEnd = items.length % keysBetweenLooks !== 0 || !budget.isDue();
    return isEnd;
  };
  const { prefix, start = null, unlike = null, isBorrowed = false } = walk;
  const range = { prefix, start, unlike, isBorrowed, inclusive: false };
  try {
    if (walk.child === undefined) backend.visitKeys(range, visit);
    else backend.childVisitKeys(walk.child, range, visit);
  } catch (error) {
    if (!(error instanceof MissingNodes) || last === null) throw error;
    isEnd = false;
  }
  return { items, last: (last as Uint8Array | null)?.slice() ?? null, isEnd };
};

/** Reads keys in order, in turns of 10 ms. A missing block or state is error 4003. */
export const walkKeys = async <T>(
  parts: Pick<RpcParts, 'chain'>,
  walk: KeyWalk,
  budget: Budget,
  read: ReadKey<T>,
  take: (item: T) => void,
): Promise<void> => {
  let left = walk.count ?? Number.POSITIVE_INFINITY;
  let start = walk.start ?? null;
  const scans = (await parts.chain.scans?.()) ?? null;
  while (left > 0) {
    const rest = { readsValues: false, ...walk, start, count: left };
    const page = await lookUp('state', walk.at, () =>
      parts.chain.withState(walk.at, (backend) =>
        readPage(scans?.view(backend, rest) ?? backend, rest, budget, read),
      ),
    );
    for (const item of page.items) take(item);
    if (page.isEnd) return;
    left -= page.items.length;
    start = page.last;
    await budget.rest();
  }
  if (walk.count === 0) await lookUp('state', walk.at, () => parts.chain.withState(walk.at, () => undefined));
};

const digitsOf: ReadKey<string> = (_backend, key) => bytesToDigits(key);

/** The keys of a walk. */
export const listKeys = async (
  parts: Pick<RpcParts, 'chain'>,
  walk: KeyWalk,
  budget: Budget,
): Promise<PreserializedJson<string[]>> => {
  const keys: string[] = [];
  await walkKeys(parts, { ...walk, isBorrowed: true }, budget, digitsOf, (key) => {
    budget.spend(key.length + 5);
    keys.push(key);
  });
  return hexListJson(keys);
};
