import { compactBn } from '@polkadot-api/substrate-bindings';
import { docsText } from './entries.ts';
import { blake2 } from './hash.ts';
import { joinBytes } from './hex.ts';
import { sortByName } from './names.ts';
import type { LookupEntry, RuntimeMeta } from './types.ts';

/** One call of a pallet. */
export type CallMeta = {
  readonly pallet: string;
  /** As written in the metadata: `transfer_keep_alive`. */
  readonly name: string;
  /** `Balances.transfer_keep_alive`. */
  readonly label: string;
  readonly docs: string;
  /** Pallet index and call index: the first two bytes of the encoded call. */
  readonly index: readonly [number, number];
  /** The arguments as one value; null if there are none. */
  readonly args: LookupEntry | null;
};

/** The calls of a pallet, sorted by name; empty if it has none. */
export const palletCalls = (meta: RuntimeMeta, pallet: string): readonly CallMeta[] => {
  const found = meta.pallet(pallet);
  const entry = found?.calls ? meta.lookup(found.calls.type) : null;
  const outer = meta.callType === null ? null : meta.lookup(meta.callType);
  // In metadata before V12, the index of a call's pallet counts only pallets with calls.
  const palletIndex = outer?.type === 'enum' ? outer.value[pallet]?.idx : found?.index;
  if (palletIndex === undefined || entry?.type !== 'enum') return [];
  return sortByName(Object.entries(entry.value), ([name]) => name).map(([name, { idx, docs, inner }]) => ({
    pallet,
    name,
    label: `${pallet}.${name}`,
    docs: docsText(docs),
    index: [palletIndex, idx] as const,
    args: inner,
  }));
};

/** The calls most used of their pallets; elsewhere the first call by name is as good as any. */
const usual = ['transfer_keep_alive', 'batch_all', 'batch', 'remark', 'sudo'];

/** The call that choosing a pallet selects; undefined if it has none. */
export const usualCall = (meta: RuntimeMeta, pallet: string): CallMeta | undefined => {
  const calls = palletCalls(meta, pallet);
  return usual.flatMap((name) => calls.find((call) => call.name === name) ?? [])[0] ?? calls[0];
};

/** Every call of the runtime, grouped by pallet in metadata order. */
export const allCalls = (meta: RuntimeMeta): readonly CallMeta[] =>
  meta.metadata.pallets.flatMap(({ name }) => palletCalls(meta, name));

const bareName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Finds a call by name; also accepts the form used by URLs and polkadot-js: `transferKeepAlive`. */
export const findCall = (meta: RuntimeMeta, pallet: string, name: string): CallMeta | null =>
  palletCalls(meta, pallet).find((call) => bareName(call.name) === bareName(name)) ?? null;

/** Whether a call's arguments have a list of calls to run one after another: `Utility.batch_all`. */
export const isBatch = ({ callType }: RuntimeMeta, entry: LookupEntry | null): boolean => {
  const calls = entry?.type === 'struct' ? entry.value['calls'] : undefined;
  return calls?.type === 'sequence' && calls.value.id === callType;
};

/** `Sudo.sudo(call)`; null if the runtime has no such call. */
export const sudoCall = (meta: RuntimeMeta, call: Uint8Array): Uint8Array | null => {
  const sudo = findCall(meta, 'Sudo', 'sudo');
  return sudo === null ? null : joinBytes(Uint8Array.from(sudo.index), call);
};

/**
 * How a sudo key upgrades the runtime: by the calls of pallet-system that set the code, or, as `authorized`, as chains without
 * sudo do it, by an authorization of its hash, which anybody may apply.
 */
export type UpgradeWay = 'authorized' | 'set_code' | 'set_code_without_checks';

/** `Utility.batch_all([Sudo.sudo(System.authorize_upgrade(hash)), System.apply_authorized_upgrade(code)])`. */
const authorizedUpgrade = (meta: RuntimeMeta, code: Uint8Array): Uint8Array | null => {
  const batch = findCall(meta, 'Utility', 'batch_all');
  const authorize = findCall(meta, 'System', 'authorize_upgrade');
  const apply = findCall(meta, 'System', 'apply_authorized_upgrade');
  if (batch === null || authorize === null || apply === null) return null;
  const authorized = sudoCall(meta, joinBytes(Uint8Array.from(authorize.index), blake2(code)));
  if (authorized === null) return null;
  const applied = joinBytes(Uint8Array.from(apply.index), compactBn.enc(BigInt(code.length)), code);
  return joinBytes(Uint8Array.from(batch.index), compactBn.enc(2n), authorized, applied);
};

/**
 * The call of an upgrade; null if the runtime lacks one of its calls. `set_code` and `set_code_without_checks` are
 * `Sudo.sudo_unchecked_weight(System.set_code(code), {refTime: 0, proofSize: 0})`: the weight is declared as zero, because
 * set_code's own weight would fill the block.
 */
export const upgradeCall = (meta: RuntimeMeta, code: Uint8Array, way: UpgradeWay): Uint8Array | null => {
  if (way === 'authorized') return authorizedUpgrade(meta, code);
  const sudo = findCall(meta, 'Sudo', 'sudo_unchecked_weight');
  const set = findCall(meta, 'System', way);
  if (sudo === null || set === null) return null;
  const inner = joinBytes(Uint8Array.from(set.index), compactBn.enc(BigInt(code.length)), code);
  return joinBytes(Uint8Array.from(sudo.index), inner, compactBn.enc(0n), compactBn.enc(0n));
};
