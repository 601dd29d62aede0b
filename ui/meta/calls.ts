import { compactBn } from '@polkadot-api/substrate-bindings';
import { docsText, fieldsEntry } from './entries.ts';
import { joinBytes } from './hex.ts';
import type { Fields, LookupEntry, RuntimeMeta } from './types.ts';

/** One call of a pallet. */
export type CallMeta = {
  readonly pallet: string;
  /** As the metadata writes it: `transfer_keep_alive`. */
  readonly name: string;
  /** `Balances.transfer_keep_alive`. */
  readonly label: string;
  readonly docs: string;
  /** Indices of pallet and call: the first two bytes. */
  readonly index: readonly [number, number];
  readonly fields: Fields;
};

/** The calls of a pallet by name; none where it has none. */
export const palletCalls = (meta: RuntimeMeta, pallet: string): readonly CallMeta[] => {
  const found = meta.pallet(pallet);
  const entry = found?.calls ? meta.lookup(found.calls.type) : null;
  if (!found || entry?.type !== 'enum') return [];
  return Object.entries(entry.value)
    .map(([name, fields]) => ({
      pallet,
      name,
      label: `${pallet}.${name}`,
      docs: docsText(entry.innerDocs[name]),
      index: [found.index, fields.idx] as const,
      fields,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
};

/** Every call of the runtime, in the order of the metadata's pallets. */
export const allCalls = (meta: RuntimeMeta): readonly CallMeta[] =>
  meta.metadata.pallets.flatMap(({ name }) => palletCalls(meta, name));

const bareName = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** A call by its name, also as addresses and polkadot-js write it: `transferKeepAlive`. */
export const findCall = (meta: RuntimeMeta, pallet: string, name: string): CallMeta | null =>
  palletCalls(meta, pallet).find((call) => bareName(call.name) === bareName(name)) ?? null;

/** The arguments as one value, for a form; null where there are none. */
export const argsEntry = ({ fields }: CallMeta): LookupEntry | null => fieldsEntry(fields);

/** `Sudo.sudo(call)`; null where the runtime has no such call. */
export const sudoCall = (meta: RuntimeMeta, call: Uint8Array): Uint8Array | null => {
  const sudo = findCall(meta, 'Sudo', 'sudo');
  return sudo === null ? null : joinBytes(Uint8Array.from(sudo.index), call);
};

/** Ways to set the runtime's code, as pallet-system names them. */
export type UpgradeWay = 'set_code' | 'set_code_without_checks';

/**
 * `Sudo.sudo_unchecked_weight(System.set_code(code), {refTime: 0, proofSize: 0})`; null where a call is missing.
 * The weight is left out of the block's count, since set_code's own would not fit beside anything else.
 */
export const upgradeCall = (meta: RuntimeMeta, code: Uint8Array, way: UpgradeWay): Uint8Array | null => {
  const sudo = findCall(meta, 'Sudo', 'sudo_unchecked_weight');
  const set = findCall(meta, 'System', way);
  if (sudo === null || set === null) return null;
  const inner = joinBytes(Uint8Array.from(set.index), compactBn.enc(BigInt(code.length)), code);
  return joinBytes(Uint8Array.from(sudo.index), inner, compactBn.enc(0n), compactBn.enc(0n));
};
