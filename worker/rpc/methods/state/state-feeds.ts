import { bytesToHex, bytesToHexOrNull } from '../../../bytes/hex.ts';
import { movesBest } from '../../../chain/events.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { RuntimeVersion } from '../../../codec/runtime-version.ts';
import type { Backend } from '../../../state/backend.ts';
import type { StorageChanges } from '../../../state/changes.ts';
import { type Followed, followInOrder } from '../../connection/ordered-events.ts';
import type { Sink } from '../../handlers.ts';
import type { RpcParts } from '../../parts.ts';

type ChainPart = RpcParts['chain'];
type Part<K extends keyof ChainPart> = { readonly chain: Pick<ChainPart, K | 'onEvent'> } & Followed;
type ChangeSet = { readonly block: string; readonly changes: [string, string | null][] };

type Texts = ReadonlyMap<string, string | null>;
type Imported = { readonly hash: BlockHash; readonly changes: StorageChanges };

/** A block's changes as text in key order. */
const changesToText = (changes: StorageChanges): Texts =>
  new Map(changes.main.map(([key, value]) => [bytesToHex(key) as string, bytesToHexOrNull(value)]));

/** The changes of the `wanted` keys in key order; null means all. */
const pickChanges = (texts: Texts, wanted: readonly string[] | null): [string, string | null][] => {
  if (wanted === null) return [...texts];
  const out: [string, string | null][] = [];
  for (const key of wanted) {
    const value = texts.get(key);
    if (value !== undefined) out.push([key, value]);
  }
  return out;
};

/** The changes of the last block, shared by all subscribers of a server. */
export type ChangeSets = (block: Imported, wanted: readonly string[] | null, id: string) => ChangeSet;

/**
 * Texts are created once per block. Subscribers with the same `id` get the same object, which is serialized
 * once.
 */
export const createChangeSets = (): ChangeSets => {
  let of: StorageChanges | null = null;
  let texts: Texts = new Map();
  const sets = new Map<string, ChangeSet>();
  return ({ hash, changes }, wanted, id) => {
    if (of !== changes) {
      of = changes;
      texts = changesToText(changes);
      sets.clear();
    }
    const set = sets.get(id) ?? { block: hash, changes: pickChanges(texts, wanted) };
    sets.set(id, set);
    return set;
  };
};

/**
 * Storage notifications: first all keys, then the changes of each imported block on any fork; without keys,
 * all changes.
 */
export const followStorage = (
  parts: Part<'best' | 'withState'>,
  changeSet: ChangeSets,
  keys: readonly Uint8Array[] | null,
  { emit, end }: Pick<Sink<ChangeSet>, 'emit' | 'end'>,
): (() => void) => {
  const { chain } = parts;
  const wanted = keys === null ? null : [...new Set<string>(keys.map(bytesToHex))].sort();
  const id = wanted?.join() ?? 'all';
  const best = chain.best().hash;
  const emitAll = async (block: BlockHash): Promise<void> => {
    if (keys === null || keys.length === 0) return;
    const read = (backend: Backend): [string, string | null][] =>
      keys.map((key) => [bytesToHex(key), bytesToHexOrNull(backend.get(key))]);
    const changes = await chain.withState(block, read, read);
    emit({ block, changes });
  };
  return followInOrder(
    parts,
    () => emitAll(best),
    (event) => {
      if (event.kind === 'moved') return emitAll(event.hash);
      if (event.kind !== 'imported' || wanted?.length === 0) return undefined;
      const set = changeSet(event, wanted, id);
      if (set.changes.length > 0) emit(set);
      return undefined;
    },
    end,
  );
};

const apisOf = ({ apis }: RuntimeVersion): string =>
  apis.map(([id, version]) => `${bytesToHex(id)}${version}`).join();

/**
 * Compares the whole version, with the APIs in order, like the SDK's node (sc-rpc,
 * `subscribe_runtime_version`).
 */
export const isSameVersion = (a: RuntimeVersion, b: RuntimeVersion): boolean =>
  a.specName === b.specName &&
  a.implName === b.implName &&
  a.authoringVersion === b.authoringVersion &&
  a.specVersion === b.specVersion &&
  a.implVersion === b.implVersion &&
  a.transactionVersion === b.transactionVersion &&
  a.systemVersion === b.systemVersion &&
  apisOf(a) === apisOf(b);

/**
 * Sends the version at the best block, then that at each new best block if it differs from the last one sent.
 */
export const followRuntimeVersion = (
  parts: Part<'best' | 'runtimeAt'>,
  emit: (version: RuntimeVersion) => void,
  lose: () => void,
): (() => void) => {
  const { chain } = parts;
  let sent: RuntimeVersion | null = null;
  const check = async (hash: BlockHash): Promise<void> => {
    const { version } = await chain.runtimeAt(hash);
    if (sent !== null && isSameVersion(sent, version)) return;
    sent = version;
    emit(version);
  };
  const best = chain.best().hash;
  return followInOrder(
    parts,
    () => check(best),
    (event) => (movesBest(event) ? check(event.hash) : undefined),
    lose,
  );
};
