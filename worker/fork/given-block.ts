import { NodeError } from '../../src/protocol/errors.ts';
import { orNull } from '../../src/scale/cursor.ts';
import { type BlockEvent, eventsKey, outcomeOf } from '../../src/scale/events.ts';
import { decodeExtrinsic, signerOf } from '../../src/scale/extrinsic.ts';
import { toHex } from '../../src/scale/hex.ts';
import { decodedToPolkadotJs } from '../../src/scale/json.ts';
import { readVariant } from '../../src/scale/names.ts';
import { decodeKey, decodeStored, entryPrefix, explainKey } from '../../src/scale/storage.ts';
import type { Decoded, RuntimeMeta } from '../../src/scale/types.ts';
import { bytesToHexOrNull } from '../bytes/hex.ts';
import { recordsProofSize } from '../chain/proofs.ts';
import type { BlockHash } from '../codec/identity.ts';
import { signedBlockFromJson } from '../codec/signed-block.ts';
import { loadMeta } from '../dev/metadata.ts';
import type { StoragePair } from '../dev/storage-names.ts';
import { createOverlay } from '../state/overlay.ts';
import { type Reader, sourceOf } from './own-block.ts';
import { type PhaseRun, runPhases } from './phases.ts';
import { eventsOf, faultText, logText, phaseWrites } from './report.ts';

/** A block that need not be in the chain, and what of its execution is shown; the names are those of chopsticks. */
export type GivenBlock = {
  /** The block on whose state it runs. */
  readonly parent: BlockHash;
  /** `{header, extrinsics}` as `chain_getBlock` returns it. */
  readonly block: unknown;
  readonly includeRaw: boolean;
  readonly includeParsed: boolean;
  readonly includeBlockDetails: boolean;
};

/** Left out of changes, as in chopsticks: long, and shown elsewhere. */
const hidden = [eventsKey, entryPrefix('System', 'ExtrinsicData')];

/** As polkadot-js spells pallets, items and calls. */
const toCamel = (name: string): string =>
  name
    .replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (first) => first.toLowerCase())
    .replace(/_(\w)/g, (_, one: string) => one.toUpperCase());

/** A change by name; null if the metadata does not describe it. */
const parsePair = (meta: RuntimeMeta, [key, value]: StoragePair) => {
  const hex = toHex(key);
  const meaning = explainKey(meta, hex);
  if (meaning.kind !== 'entry') return null;
  const { entry } = meaning;
  const keys = orNull(() => decodeKey(meta, entry, hex, true));
  const stored = value === null ? null : orNull(() => decodeStored(meta, entry, toHex(value)));
  if (keys === null || (value !== null && stored === null)) return null;
  return {
    section: toCamel(entry.pallet),
    method: toCamel(entry.name),
    key: keys.map((one) => (one.kind === 'hash' ? one.hash : decodedToPolkadotJs(one.value))),
    value: stored === null ? null : decodedToPolkadotJs(stored.value),
  };
};

const phaseName = (name: PhaseRun['name']): string | number =>
  typeof name === 'number' ? name : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

const partsOf = (value: Decoded | null) => {
  const fields = value?.kind === 'struct' ? value.fields : [];
  const args = fields.map((field) => decodedToPolkadotJs(field.value));
  return {
    args,
    argObj: Object.fromEntries(fields.map(({ label }, index) => [toCamel(label ?? `${index}`), args[index]])),
  };
};

/** Pallet and name of a call or event, with its arguments. */
const named = (value: Decoded) => {
  const [section = '', method = ''] = (readVariant(value)?.name ?? '').split('.');
  return { section: toCamel(section), method, ...partsOf(readVariant(value)?.fields ?? null) };
};

const eventJson = ({ event, extrinsic, phase }: BlockEvent) => ({
  phase: extrinsic ?? phase,
  ...named(event),
});

const extrinsicJson = (
  meta: RuntimeMeta,
  events: readonly BlockEvent[],
  bytes: Uint8Array,
  index: number,
) => {
  const decoded = orNull(() => decodeExtrinsic(meta, toHex(bytes)));
  if (decoded === null) throw new NodeError('BadExtrinsic', `Extrinsic ${index} does not fit the metadata`);
  const { method, ...call } = named(decoded.call);
  return {
    ...call,
    method: toCamel(method),
    success: outcomeOf(meta, events, index).kind === 'ok',
    signer: signerOf(decoded),
  };
};

const runOn = async (chain: Reader, parent: BlockHash, json: unknown) => {
  const block = signedBlockFromJson(json);
  const source = sourceOf(chain);
  const state = await source.stateAt(parent);
  const runtime = await source.runtimeAfter(parent, state);
  const recording = recordsProofSize(runtime) ? await source.record(runtime, block.header) : null;
  const overlay = recording?.openOverlay() ?? createOverlay(state);
  const run = await runPhases({
    store: source.store,
    runtime,
    backend: state,
    overlay,
    block,
    withChanges: true,
    nowMs: () => performance.now(),
  });
  // What the header says is not compared: it may be made up.
  if (run.fault !== null && run.fault.why.kind !== 'header')
    throw new NodeError('BadBlock', `${phaseName(run.fault.phase)}: ${faultText(run.fault)}`);
  return { block, phases: run.phases };
};

/**
 * Executes a block on the state of another one, and reports what each phase changed, in the form of chopsticks
 * (packages/chopsticks/src/plugins/run-block/rpc.ts). Throws `BadBlock`, `UnknownBlock`, `StateDiscarded`.
 */
export const runGivenBlock = async (chain: Reader, given: GivenBlock) => {
  const { block, phases } = await runOn(chain, given.parent, given.block);
  const needsMeta = given.includeParsed || given.includeBlockDetails;
  const meta = needsMeta ? await loadMeta(chain, given.parent) : null;
  if (needsMeta && meta === null)
    throw new NodeError(
      'Unsupported',
      'The metadata of this runtime is older than V14: ask for `includeRaw` only',
    );
  const showChange = (pair: StoragePair) => ({
    ...(given.includeRaw ? { raw: { key: toHex(pair[0]), value: bytesToHexOrNull(pair[1]) } } : {}),
    ...(given.includeParsed && meta !== null ? { parsed: parsePair(meta, pair) ?? undefined } : {}),
  });
  const shown = phases.map(({ name, changes, logs }, index) => ({
    phase: phaseName(name),
    storageDiff: phaseWrites(phases[index - 1]?.changes ?? null, changes as NonNullable<typeof changes>)
      .filter(([key]) => !hidden.some((prefix) => toHex(key).startsWith(prefix)))
      .map(showChange),
    logs: logs.map(logText),
  }));
  if (!given.includeBlockDetails || meta === null) return { phases: shown };
  const events = eventsOf(meta, { phases }) ?? [];
  const extrinsics = block.extrinsics.map((bytes, index) => extrinsicJson(meta, events, bytes, index));
  return { phases: shown, blockDetails: { events: events.map(eventJson), extrinsics } };
};
