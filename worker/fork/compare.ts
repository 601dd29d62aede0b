import type { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, equalBytes } from '../bytes/bytes.ts';
import { isOriginFault } from '../chain/refusal.ts';
import { childKey } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { PhaseName } from './phases.ts';
import type { Replay, ReplaySource } from './replay.ts';

/** A value that differs after the block. */
export type DifferingValue = {
  readonly key: Uint8Array;
  readonly here: Uint8Array | null;
  readonly there: Uint8Array | null;
};

export type Difference = {
  /** The first phase that wrote a value that differs. Null: none did. */
  readonly phase: PhaseName | null;
  readonly values: readonly DifferingValue[];
  /** Why the values of the live chain could not be read. */
  readonly unread?: NodeError;
};

/** At most this many values are listed. */
const maxValues = 100;

/** The main trie's value of each written key; a child trie is represented by its root. */
const writtenKeys = ({ main, children }: StorageChanges): Uint8Array[] => [
  ...main.map(([key]) => key),
  ...children.map(([name]) => childKey(name)),
];

/** The index of the phase that wrote each key last, by the key's text. */
const lastWriters = ({ phases }: Replay): Map<string, number> => {
  const writers = new Map<string, number>();
  let before = new Map<string, string>();
  for (const [index, { changes }] of phases.entries()) {
    if (changes === null) continue;
    const after = new Map<string, string>();
    for (const [key, value] of changes.main)
      after.set(bytesToKey(key), value === null ? '-' : `+${bytesToKey(value)}`);
    for (const [name, list] of changes.children)
      after.set(
        bytesToKey(childKey(name)),
        list.map(([key, value]) => `${bytesToKey(key)}=${value === null ? '-' : bytesToKey(value)}`).join(),
      );
    for (const [key, text] of after) if (before.get(key) !== text) writers.set(key, index);
    before = after;
  }
  return writers;
};

/**
 * Compares the state after a block that differs with the live chain's, which is proven against the header: every key
 * that was written here and those that the endpoint says were written there. `replay` must have the writes of its phases.
 */
export const findDifference = async (
  { store, stateAt, changedBy }: ReplaySource,
  replay: Replay,
): Promise<Difference> => {
  const { committed, hash } = replay;
  if (committed === null) return { phase: replay.fault?.phase ?? null, values: [] };
  const keys = new Map<string, Uint8Array>();
  for (const key of writtenKeys(committed.changes)) keys.set(bytesToKey(key), key);
  for (const key of (await changedBy(hash)) ?? []) keys.set(bytesToKey(key), key);
  const there = await stateAt(hash);
  const reads = [...keys.values()].map((key) => () => there.get(key));
  let values: readonly (Uint8Array | null)[];
  try {
    values = await store.run(
      () => reads.map((read) => read()),
      () => reads,
    );
  } catch (error) {
    // The root differs all the same, and who claims another one may not be able to prove it.
    if (isOriginFault(error)) return { phase: null, values: [], unread: error };
    throw error;
  }
  const differing: DifferingValue[] = [];
  for (const [index, key] of [...keys.values()].entries()) {
    const live = values[index] ?? null;
    const own = await store.run(() => committed.backend.get(key));
    const isSame = own === null || live === null ? own === live : equalBytes(own, live);
    if (!isSame) differing.push({ key, here: own, there: live });
  }
  const writers = lastWriters(replay);
  const indexes = differing.flatMap(({ key }) => writers.get(bytesToKey(key)) ?? []);
  const first = indexes.length === 0 ? null : (replay.phases[Math.min(...indexes)] ?? null);
  return { phase: first?.name ?? null, values: differing.slice(0, maxValues) };
};
