import type { PhaseReport, ReplayDifference, ReplayReport, StorageJson } from '../../src/protocol/replay.ts';
import { createCursor, DecodeFault } from '../../src/scale/cursor.ts';
import { type BlockEvent, decodeEvents, eventsKey, outcomeOf } from '../../src/scale/events.ts';
import { toHex } from '../../src/scale/hex.ts';
import { decodedToPolkadotJs } from '../../src/scale/json.ts';
import { fieldOf, readVariant } from '../../src/scale/names.ts';
import type { Decoded, RuntimeMeta } from '../../src/scale/types.ts';
import { takeValidityError } from '../../src/scale/validity.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { bytesToBlockHash } from '../codec/identity.ts';
import { loadMeta } from '../dev/metadata.ts';
import { nameState } from '../dev/named-state.ts';
import type { StoragePair } from '../dev/storage-names.ts';
import type { LogEntry } from '../executor/call-log.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { Difference } from './compare.ts';
import type { PhaseFault, PhaseName } from './phases.ts';
import type { Replay, ReplaySource } from './replay.ts';

const phaseText = (name: PhaseName): string => (typeof name === 'number' ? `extrinsic ${name}` : name);

const levels = ['ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const;
export const logText = ({ level, target, message }: LogEntry): string =>
  `${levels[level] ?? 'TRACE'} ${target}: ${message}`;

export const faultText = ({ why }: PhaseFault): string => {
  switch (why.kind) {
    case 'trap':
      return `its execution fails: ${why.text}`;
    case 'refused':
      return `the runtime refuses the extrinsic: ${takeValidityError(createCursor(why.error))}`;
    case 'header':
      return why.text;
    default:
      return why satisfies never;
  }
};

/** By name where the metadata describes them, else by hex. */
const namedPairs = (meta: RuntimeMeta | null, pairs: readonly StoragePair[]): StorageJson =>
  meta === null
    ? Object.fromEntries(pairs.map(([key, value]) => [toHex(key), value === null ? null : toHex(value)]))
    : nameState(meta, pairs);

/** The keys of the main trie that a phase wrote, with the values after it. */
export const phaseWrites = (before: StorageChanges | null, after: StorageChanges): StoragePair[] => {
  const known = new Map(before?.main.map(([key, value]) => [bytesToKey(key), value] as const) ?? []);
  return after.main.filter(([key, value]) => {
    const id = bytesToKey(key);
    const old = known.get(id);
    if (!known.has(id)) return true;
    return old === null || value === null || old === undefined
      ? old !== value
      : bytesToKey(old) !== bytesToKey(value);
  });
};

const integer = (value: Decoded | null): string | null =>
  value?.kind === 'number' ? value.value.toString() : null;

/** `dispatch_info.weight`: a number until 2022, then `{ref_time, proof_size}`. */
const weightOf = (events: readonly BlockEvent[]): PhaseReport['weight'] => {
  for (const { event } of events) {
    const found = readVariant(event);
    if (found?.name !== 'System.ExtrinsicSuccess' && found?.name !== 'System.ExtrinsicFailed') continue;
    const info = fieldOf(found.fields, 'dispatch_info');
    const weight = fieldOf(info, 'weight');
    const refTime = integer(weight) ?? integer(fieldOf(weight, 'ref_time'));
    return refTime === null ? null : { refTime, proofSize: integer(fieldOf(weight, 'proof_size')) };
  }
  return null;
};

const eventJson = ({ event }: BlockEvent): { name: string; data: unknown } => {
  const found = readVariant(event);
  return { name: found?.name ?? '', data: found?.fields == null ? null : decodedToPolkadotJs(found.fields) };
};

const eventsOfPhase = (events: readonly BlockEvent[], name: PhaseName): readonly BlockEvent[] =>
  typeof name === 'number'
    ? events.filter(({ extrinsic }) => extrinsic === name)
    : events.filter(({ phase }) => phase.toLowerCase() === name);

/** Null if the metadata does not describe the events, or they cannot be decoded. */
export const eventsOf = (
  meta: RuntimeMeta | null,
  { phases }: Pick<Replay, 'phases'>,
): readonly BlockEvent[] | null => {
  const key = bytesToKey(hexToBytes(eventsKey));
  const written = phases.at(-1)?.changes?.main.find(([one]) => bytesToKey(one) === key);
  if (meta === null || written === undefined) return null;
  try {
    return decodeEvents(meta, written[1] === null ? null : toHex(written[1]));
  } catch (fault) {
    if (fault instanceof DecodeFault) return null;
    throw fault;
  }
};

const reportPhases = async (
  { store }: ReplaySource,
  meta: RuntimeMeta | null,
  replay: Replay,
): Promise<PhaseReport[]> => {
  const events = eventsOf(meta, replay);
  const reports: PhaseReport[] = [];
  let before: StorageChanges | null = null;
  for (const { name, ms, logs, changes } of replay.phases) {
    const writes = changes === null ? [] : phaseWrites(before, changes);
    const known = new Map(before?.main.map(([key, value]) => [bytesToKey(key), value] as const) ?? []);
    const reads = writes.map(
      ([key]) =>
        () =>
          replay.parent.get(key),
    );
    const parents = await store.run(
      () => reads.map((read) => read()),
      () => reads,
    );
    const old = writes.map(([key], index): StoragePair => {
      const id = bytesToKey(key);
      return [key, known.has(id) ? (known.get(id) ?? null) : (parents[index] ?? null)];
    });
    const own = events === null ? null : eventsOfPhase(events, name);
    const outcome = typeof name === 'number' && meta && events ? outcomeOf(meta, events, name) : null;
    reports.push({
      phase: phaseText(name),
      ms,
      logs: logs.map(logText),
      dispatchError: outcome?.kind === 'failed' ? outcome.text : null,
      weight: own === null ? null : weightOf(own),
      events: own?.map(eventJson) ?? null,
      old: namedPairs(meta, old),
      new: namedPairs(meta, writes),
    });
    before = changes;
  }
  return reports;
};

const valuesText = ({ values, unread }: Difference): string => {
  if (unread !== undefined) return `the state after the block could not be read: ${unread.message}`;
  return values.length === 0
    ? 'only in values that no part of the block wrote here'
    : `${values.length} values differ`;
};

const differenceJson = (
  meta: RuntimeMeta | null,
  { fault }: Replay,
  difference: Difference,
): ReplayDifference => {
  const { phase, values } = difference;
  return {
    phase: phase === null ? null : phaseText(phase),
    why: fault === null ? `the state root differs: ${valuesText(difference)}` : faultText(fault),
    here: namedPairs(
      meta,
      values.map(({ key, here }) => [key, here]),
    ),
    there: namedPairs(
      meta,
      values.map(({ key, there }) => [key, there]),
    ),
  };
};

export type ReportParts = {
  /** Null if the block is the same. */
  readonly difference: Difference | null;
  readonly withPhases: boolean;
  /** What the network was used for. */
  readonly requests: number;
  readonly bytes: number;
};

/** The replay of a block as JSON. The metadata is loaded only if something has to be named. */
export const reportReplay = async (
  live: ReplaySource,
  replay: Replay,
  { difference, withPhases, requests, bytes }: ReportParts,
): Promise<ReplayReport> => {
  const { block, runtime, phases, committed } = replay;
  const { number, parentHash, stateRoot } = block.header;
  const meta =
    withPhases || difference !== null
      ? await loadMeta(
          {
            runtimeAt: async () => runtime,
            withState: async (_hash, read) => live.store.run(() => read(replay.parent)),
          },
          bytesToBlockHash(parentHash),
        )
      : null;
  return {
    number,
    hash: replay.hash,
    parentHash: bytesToHex(parentHash),
    specName: runtime.version.specName,
    specVersion: runtime.version.specVersion,
    extrinsics: block.extrinsics.length,
    stateRoot: bytesToHex(stateRoot),
    computedRoot: committed === null ? null : bytesToHex(committed.backend.root),
    isSame: replay.isSame,
    difference: difference === null ? null : differenceJson(meta, replay, difference),
    requests,
    bytes,
    executionMs: phases.reduce((sum, { ms }) => sum + ms, 0),
    phases: withPhases ? await reportPhases(live, meta, replay) : null,
  };
};
