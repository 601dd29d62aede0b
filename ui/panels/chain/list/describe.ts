import { toAddress } from '../../../../src/scale/address.ts';
import { decodeValue } from '../../../../src/scale/decode.ts';
import { type DecodedExtrinsic, decodeExtrinsic, signerOf } from '../../../../src/scale/extrinsic.ts';
import { fromHex } from '../../../../src/scale/hex.ts';
import { callName, fieldOf } from '../../../../src/scale/names.ts';
import { entryPrefix, storageEntry } from '../../../../src/scale/storage.ts';
import type { Decoded, DecodedField, RuntimeMeta } from '../../../../src/scale/types.ts';
import { summaryText, type WriteAmount } from '../../../node/storage/summary.ts';

/** An extrinsic as shown in a row. */
export type ExtrinsicWords = {
  readonly name: string;
  readonly signer: { readonly id: string; readonly address: string } | null;
  readonly args: string;
};

/** One class of weight of a block: ref time in picoseconds, proof size in bytes. */
export type WeightRow = { readonly label: string; readonly refTime: number; readonly proofSize: number };
export type BlockWeights = { readonly rows: readonly WeightRow[]; readonly max: WeightRow | null };

/** Key of System.BlockWeight. */
export const weightKey = entryPrefix('System', 'BlockWeight');

/** Call, signer and arguments of an extrinsic; throws DecodeFault. */
export const describeExtrinsic = (meta: RuntimeMeta, hex: string, amount: WriteAmount): ExtrinsicWords => {
  const extrinsic = decodeExtrinsic(meta, hex);
  const id = signerOf(extrinsic);
  const { call } = extrinsic;
  const inner = call.kind === 'variant' && call.value?.kind === 'variant' ? call.value.value : null;
  return {
    name: callName(call) ?? 'a call',
    signer: id === null ? null : { id, address: toAddress(id, meta.ss58Prefix) },
    args: inner === null ? '' : summaryText(inner, amount),
  };
};

/** A decoded extrinsic as one value for ValueFaces. Offsets refer to the bytes of the whole extrinsic. */
export const extrinsicTree = (extrinsic: DecodedExtrinsic): Decoded => {
  const { address, signature, extensions, call, bytes } = extrinsic;
  const field = (label: string, value: Decoded | null): DecodedField[] =>
    value === null ? [] : [{ label, docs: '', value }];
  const carried = extensions.filter(({ value }) => value.end > value.start);
  return {
    type: `extrinsic, version ${extrinsic.version}`,
    start: 0,
    end: bytes.length,
    kind: 'struct',
    fields: [
      ...field('address', address),
      ...field('signature', signature),
      ...carried.flatMap(({ name, value }) => field(name, value)),
      ...field('call', call),
    ],
  };
};

const numberOf = (value: Decoded | null): number => (value?.kind === 'number' ? Number(value.value) : 0);

const weightOf = (label: string, weight: Decoded | null): WeightRow => ({
  label,
  // One number until 2022.
  refTime: numberOf(weight?.kind === 'number' ? weight : fieldOf(weight, 'ref_time')),
  proofSize: numberOf(fieldOf(weight, 'proof_size')),
});

/**
 * Weight used by each dispatch class, and the limit of a block; null without System.BlockWeight. Throws
 * DecodeFault.
 */
export const readWeights = (meta: RuntimeMeta, value: string | null): BlockWeights | null => {
  const entry = storageEntry(meta, 'System', 'BlockWeight');
  if (entry === null || value === null) return null;
  const used = decodeValue(meta, entry.value, fromHex(value));
  const rows = ['normal', 'operational', 'mandatory'].map((label) => weightOf(label, fieldOf(used, label)));
  const limit = meta.pallet('System')?.constants.find(({ name }) => name === 'BlockWeights');
  if (limit === undefined) return { rows, max: null };
  const max = fieldOf(decodeValue(meta, limit.type, fromHex(limit.value)), 'max_block');
  return { rows, max: weightOf('max', max) };
};
