import { NodeError } from '../../../src/protocol/errors.ts';
import { toAddress } from '../../meta/address.ts';
import { type BlockEvent, decodeEvents, eventsKey } from '../../meta/events.ts';
import { decodeExtrinsic, signerOf } from '../../meta/extrinsic.ts';
import { extrinsicHash } from '../../meta/hash.ts';
import { decodedToJson } from '../../meta/json.ts';
import type { Decoded, RuntimeMeta } from '../../meta/types.ts';
import { eventJson, outcomeOf } from './explain.ts';
import { type Context, cutLong } from './tool.ts';

/** The decoded contents of a block's extrinsics. */
export type BlockBody = {
  readonly meta: RuntimeMeta;
  /** As a 0x string. */
  readonly extrinsics: readonly string[];
  readonly events: readonly BlockEvent[];
};

/**
 * Extrinsics use the runtime that executed the block, which is its parent's. The events were written under
 * the same one.
 */
export const loadBody = async (context: Context, hash: string): Promise<BlockBody> => {
  const answer = (await context.request('chain_getBlock', [hash])) as {
    readonly block: {
      readonly header: { readonly parentHash: string; readonly number: string | number };
      readonly extrinsics: readonly string[];
    };
  } | null;
  if (answer === null) throw new NodeError('UnknownBlock', `The body of block ${hash} is not known`);
  const { header, extrinsics } = answer.block;
  const [meta, stored] = await Promise.all([
    context.meta.at(Number(header.number) === 0 ? hash : header.parentHash),
    context.request('state_getStorage', [eventsKey, hash]) as Promise<string | null>,
  ]);
  return { meta, extrinsics, events: decodeEvents(meta, stored) };
};

const partOf = (call: Decoded): { readonly name: string; readonly value: Decoded | null } | null =>
  call.kind === 'variant' ? call : null;

/** `Balances.transfer_keep_alive` and its arguments. */
export const callJson = (call: Decoded): { readonly call: string; readonly args: unknown } => {
  const outer = partOf(call);
  const inner = outer?.value == null ? null : partOf(outer.value);
  if (outer === null || inner === null) return { call: 'unknown', args: cutLong(decodedToJson(call)) };
  return {
    call: `${outer.name}.${inner.name}`,
    args: inner.value === null ? {} : cutLong(decodedToJson(inner.value)),
  };
};

/** One extrinsic of a block with its outcome. If it does not decode, its hash and events remain. */
export const readExtrinsic = ({ meta, extrinsics, events }: BlockBody, index: number) => {
  const bytes = extrinsics[index];
  if (bytes === undefined)
    throw new NodeError(
      'BadValue',
      `The block has ${extrinsics.length} extrinsics, and none with index ${index}`,
    );
  const own = events.filter(({ extrinsic }) => extrinsic === index);
  const summary = { index, hash: extrinsicHash(bytes) };
  const ended = { outcome: outcomeOf(meta, own), events: own.map(eventJson) };
  try {
    const decoded = decodeExtrinsic(meta, bytes);
    const signer = signerOf(decoded);
    return {
      ...summary,
      signer: signer === null ? null : toAddress(signer, meta.ss58Prefix),
      ...callJson(decoded.call),
      ...ended,
    };
  } catch (fault) {
    return { ...summary, unreadable: fault instanceof Error ? fault.message : String(fault), ...ended };
  }
};
