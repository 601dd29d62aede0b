import type { StorageItem } from '../../../../src/protocol/rpc/params/state.ts';
import { bytesToHex, hexToBytes } from '../../../bytes/hex.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { Backend } from '../../../state/backend.ts';
import type { RpcError } from '../../errors.ts';
import { readState } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { type Budget, createBudget, walkKeys } from '../state/walks.ts';

type Deps = Pick<RpcParts, 'chain'>;

/**
 * Decodes hex of the new groups, with or without `0x`. For an odd number of digits or an invalid character,
 * throws what `refuse` returns.
 */
export const readHex = (text: string, refuse: (why: string) => RpcError): Uint8Array => {
  if (/^(0x)?([0-9a-fA-F]{2})*$/.test(text)) return hexToBytes(text);
  throw refuse(`Invalid parameter: ${text}`);
};

/** Receives items one by one. */
export type ItemSink = {
  /** Whether the reader has stopped listening. */
  readonly isOver: () => boolean;
  /** Whether the client has fallen behind. */
  readonly isBlocked: () => boolean;
};

const over = Symbol('over');
const patienceMs = 20;

/**
 * Reads in turns of 10 ms. Between them it waits for a client that is behind, and ends if nobody is
 * listening.
 */
export const patientBudget = ({ isOver, isBlocked }: ItemSink): Budget => {
  const budget = createBudget({ maxResponseBytes: Number.POSITIVE_INFINITY });
  return {
    ...budget,
    rest: async () => {
      await budget.rest();
      while (isBlocked() && !isOver()) await new Promise((resolve) => setTimeout(resolve, patienceMs));
      if (isOver()) throw over;
    },
  };
};

/**
 * Runs a long read. Returns its error in the SDK's wording; null if it completed or nobody was listening any
 * more.
 */
export const failureOf = async (work: () => Promise<void>): Promise<string | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    if (error === over) return null;
    return error instanceof Error ? error.message.replace(/^Client error: /, '') : String(error);
  }
};

type Form = 'value' | 'hash' | 'closestDescendantMerkleValue';

/** Reads what an item requests for a key of the main trie, or of a child trie by name. */
export const reader =
  (form: Form, child: Uint8Array | null) =>
  (backend: Backend, key: Uint8Array): Uint8Array | null => {
    if (form === 'value') return child === null ? backend.get(key) : backend.childGet(child, key);
    if (form === 'hash') return child === null ? backend.valueHash(key) : backend.childValueHash(child, key);
    return child === null ? backend.closestMerkleValue(key) : backend.childClosestMerkleValue(child, key);
  };

export type ReadItem = Omit<StorageItem, 'key' | 'paginationStartKey'> & {
  readonly key: Uint8Array;
  readonly start: Uint8Array | null;
};

/** An item of a response: its key, one of the three forms, and the child's name. */
export type FoundItem = { readonly key: string } & { readonly [K in Form | 'childTrieKey']?: string };

/** Reads items of a state in order, descendants in key order. Missing ones are omitted. */
export const readItems = async (
  parts: Deps,
  at: BlockHash,
  items: readonly ReadItem[],
  child: Uint8Array | null,
  sink: ItemSink & { readonly emit: (item: FoundItem) => void },
): Promise<void> => {
  const budget = patientBudget(sink);
  const ofChild = child === null ? {} : { childTrieKey: bytesToHex(child) };
  const emitItem = (form: Form, key: Uint8Array, value: Uint8Array | null): void => {
    if (value !== null && !sink.isOver())
      sink.emit({ key: bytesToHex(key), [form]: bytesToHex(value), ...ofChild });
  };
  for (const { key, type, start } of items) {
    if (type === 'descendantsValues' || type === 'descendantsHashes') {
      const form = type === 'descendantsValues' ? 'value' : 'hash';
      const read = reader(form, child);
      const walk = {
        at,
        prefix: key,
        start,
        readsValues: form === 'value',
        ...(child === null ? {} : { child }),
      };
      const readPair = (backend: Backend, found: Uint8Array) => [found, read(backend, found)] as const;
      await walkKeys(parts, walk, budget, readPair, ([found, value]) => emitItem(form, found, value));
    } else emitItem(type, key, await readState(parts, at, (backend) => reader(type, child)(backend, key)));
    await budget.rest();
  }
};
