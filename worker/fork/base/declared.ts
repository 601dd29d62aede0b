import { bytesToKey, equalBytes, keyToBytes, noBytes, startsWithBytes } from '../../bytes/bytes.ts';
import type { Reader } from '../../bytes/reader.ts';
import type { Writer } from '../../bytes/writer.ts';
import type { Chain } from '../../chain/chain.ts';
import type { Override } from '../../chain/overrides.ts';
import type { TrieStore } from '../../chain/states/trie-store.ts';
import type { Header } from '../../codec/header.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { ethereumBytes, maxImpersonated } from '../../dev/impersonation.ts';
import { type Backend, childPrefix, createBackend } from '../../state/backend.ts';
import type { Change } from '../../trie/trie.ts';

/** What an operator declared on a fork, instead of what the live chain has. */
export type Declared = {
  /** The values that were set (`dev_setStorage`, and `dev_fund` without a sudo key), each key once; null removes it. */
  readonly writes: readonly Change[];
  /** Public keys of the accounts whose mock signatures are valid (`dev_impersonate`). */
  readonly impersonated: readonly Uint8Array[];
};

export const nothingDeclared: Declared = { writes: [], impersonated: [] };

export const writeDeclared = (writer: Writer, { writes, impersonated }: Declared): Writer =>
  writer
    .vec(writes, (out, [key, value]) => {
      out.vecBytes(key).bool(value !== null);
      if (value !== null) out.vecBytes(value);
    })
    .vec(impersonated, (out, account) => out.vecBytes(account));

/**
 * Throws also for what no operator could declare: a key twice, the root of a child trie, an account that is none, and more
 * accounts than may be impersonated.
 */
export const readDeclared = (reader: Reader): Declared => {
  const writes = reader.vec((item): Change => {
    const key = item.vecBytes().slice();
    return [key, item.bool() ? item.vecBytes().slice() : null];
  });
  const impersonated = reader.vec((item) => item.vecBytes().slice());
  if (new Set(writes.map(([key]) => bytesToKey(key))).size < writes.length)
    throw new TypeError('it declares a value twice');
  if (writes.some(([key]) => startsWithBytes(key, childPrefix)))
    throw new TypeError('it declares the root of a child trie, which follows from its keys');
  if (
    impersonated.length > maxImpersonated ||
    impersonated.some(({ length }) => length !== 32 && length !== ethereumBytes)
  )
    throw new TypeError('it impersonates what are no accounts, or too many');
  return { writes, impersonated };
};

/** The values of the main trie in which a state differs from the one before. */
const differences = (before: Backend, after: Backend): Change[] => {
  const keys = new Map<string, Uint8Array>();
  const visit = (one: Backend, other: Backend): void =>
    one.visitKeys({ prefix: noBytes, start: null, inclusive: true, unlike: other.trieOf(null) }, (key) => {
      keys.set(bytesToKey(key), key.slice());
      return true;
    });
  visit(before, after);
  visit(after, before);
  return [...keys.values()].flatMap((key): Change[] => {
    const [old, now] = [before.valueHash(key), after.valueHash(key)];
    if (old !== null && now !== null && equalBytes(old, now)) return [];
    return old === null && now === null ? [] : [[key, after.get(key)?.slice() ?? null]];
  });
};

type Deps = {
  readonly chain: Pick<Chain, 'base' | 'best' | 'overrides' | 'loadHashAt' | 'loadHeader' | 'withState'>;
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  readonly store: TrieStore;
};

/** The edited blocks of the best chain, the lowest first. */
const editedBlocks = async ({ chain }: Deps): Promise<Override[]> => {
  const { number: top } = chain.best();
  const edited: Override[] = [];
  for (const one of chain.overrides().values())
    if (one.number <= top && (await chain.loadHashAt(one.number)) === one.hash) edited.push(one);
  return edited.sort((a, b) => a.number - b.number);
};

/**
 * What was written to the states of the best chain by hand: of each edited block, the difference to the state that its header
 * commits to. A value that was written twice is the last one; one that was taken back in the same block was never written.
 */
export const collectWrites = async (deps: Deps): Promise<Change[]> => {
  const writes = new Map<string, Uint8Array | null>();
  for (const { hash } of await editedBlocks(deps)) {
    const header = (await deps.chain.loadHeader(hash)) as Header;
    const source = { blake2b256: deps.crypto.blake2b256, source: deps.store };
    const before = createBackend(source, header.stateRoot);
    const changes = await deps.chain.withState(hash, (after) => differences(before, after));
    for (const [key, value] of changes) writes.set(bytesToKey(key), value);
  }
  return [...writes].map(([key, value]) => [keyToBytes(key), value]);
};
