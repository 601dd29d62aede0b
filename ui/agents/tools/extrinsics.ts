import { NodeError } from '../../../src/protocol/errors.ts';
import { toAddress } from '../../../src/scale/address.ts';
import { type BlockEvent, decodeEvents, eventsKey } from '../../../src/scale/events.ts';
import { decodeExtrinsic, signerOf } from '../../../src/scale/extrinsic.ts';
import { extrinsicHash } from '../../../src/scale/hash.ts';
import { decodedToJson } from '../../../src/scale/json.ts';
import type { MetaLoader } from '../../../src/scale/load.ts';
import { readVariant } from '../../../src/scale/names.ts';
import type { Decoded, RuntimeMeta } from '../../../src/scale/types.ts';
import { eventJson, outcomeOf } from './explain.ts';
import { type Context, cutLong } from './tool.ts';

/** The decoded contents of a block's extrinsics. */
export type BlockBody = {
  readonly meta: RuntimeMeta;
  /** As a 0x string. */
  readonly extrinsics: readonly string[];
  readonly events: readonly BlockEvent[];
};

export const loadBody = async (context: Context, hash: string): Promise<BlockBody> => {
  const answer = (await context.request('chain_getBlock', [hash])) as {
    readonly block: {
      readonly header: NonNullable<Parameters<MetaLoader['of']>[1]>;
      readonly extrinsics: readonly string[];
    };
  } | null;
  if (answer === null) throw new NodeError('UnknownBlock', `The body of block ${hash} is not known`);
  const { header, extrinsics } = answer.block;
  const [meta, stored] = await Promise.all([
    context.meta.of(hash, header),
    context.request('state_getStorage', [eventsKey, hash]) as Promise<string | null>,
  ]);
  return { meta, extrinsics, events: decodeEvents(meta, stored) };
};

/** `Balances.transfer_keep_alive` and its arguments. */
export const callJson = (call: Decoded): { readonly call: string; readonly args: unknown } => {
  const found = readVariant(call);
  if (found === null) return { call: 'unknown', args: cutLong(decodedToJson(call)) };
  return { call: found.name, args: found.fields === null ? {} : cutLong(decodedToJson(found.fields)) };
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
