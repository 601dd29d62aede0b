import {
  createCursor,
  DecodeFault,
  faultText,
  remaining,
  takeByte,
  takeBytes,
  takeLength,
} from '../../src/scale/cursor.ts';
import { decodeAt } from '../../src/scale/decode.ts';
import { toHex } from '../../src/scale/hex.ts';
import type { LookupEntry, RuntimeMeta } from '../../src/scale/types.ts';

// Says what is wrong with bytes that a runtime refused to decode: the runtime itself only panics.

type Cursor = ReturnType<typeof createCursor>;

/** Decodes a part of the extrinsic; an error names the part. */
const skip = (meta: RuntimeMeta, type: number, cursor: Cursor, what: string): void => {
  try {
    decodeAt(meta, type, cursor);
  } catch (fault) {
    if (!(fault instanceof DecodeFault)) throw fault;
    throw new DecodeFault(`${what} cannot be decoded (${faultText(fault)})`, fault.at);
  }
};

const variantAt = (entry: LookupEntry | null | undefined, index: number) =>
  Object.entries(entry?.type === 'enum' ? entry.value : {}).find(([, { idx }]) => idx === index);

/** Decodes a call and returns its name. */
const skipCall = (meta: RuntimeMeta, type: number, cursor: Cursor): string => {
  const { at } = cursor;
  const left = remaining(cursor);
  if (left < 2) throw new DecodeFault(left === 0 ? 'there is no call' : 'the call ends after its pallet', at);
  const [palletIndex, callIndex] = takeBytes(cursor, 2);
  const pallet = variantAt(meta.lookup(type), palletIndex ?? 0);
  if (pallet === undefined)
    throw new DecodeFault(`the runtime has no calls of a pallet with index ${palletIndex}`, at);
  const call = variantAt(pallet[1].inner, callIndex ?? 0);
  if (call === undefined) throw new DecodeFault(`${pallet[0]} has no call with index ${callIndex}`, at);
  const name = `${pallet[0]}.${call[0]}`;
  const { inner } = call[1];
  for (const [argument, { id }] of Object.entries(inner?.type === 'struct' ? inner.value : {}))
    skip(meta, id, cursor, `\`${argument}\` of ${name}`);
  return name;
};

/** What follows the first byte, up to the call. */
const skipPreamble = (meta: RuntimeMeta, cursor: Cursor): void => {
  const first = takeByte(cursor);
  const [kind, version] = [first >> 6, first & 0b0011_1111];
  if (version < 4 || version > 5 || kind === 3)
    throw new DecodeFault(
      `it begins with ${toHex(Uint8Array.of(first))}, which is no version of an extrinsic`,
      cursor.at - 1,
    );
  if (kind === 0) return;
  if (kind === 2) {
    skip(meta, meta.addressType ?? -1, cursor, 'the address of the signer');
    skip(meta, meta.signatureType ?? -1, cursor, 'the signature');
  } else takeByte(cursor);
  for (const { identifier, type } of meta.metadata.extrinsic.extensionsByVersion[0] ?? [])
    skip(meta, type, cursor, `the extension ${identifier}`);
};

const longestShown = 16;

const showBytes = (bytes: Uint8Array): string =>
  `${toHex(bytes.subarray(0, longestShown))}${bytes.length > longestShown ? '…' : ''}`;

/**
 * Why the metadata does not describe these bytes of an extrinsic, with their length in front; null if it does, or if
 * the metadata does not say what an extrinsic is made of.
 */
export const explainExtrinsic = (meta: RuntimeMeta, bytes: Uint8Array): string | null => {
  const { callType, addressType, signatureType } = meta;
  if (callType === null || addressType === null || signatureType === null) return null;
  try {
    const whole = createCursor(bytes);
    const cursor = createCursor(takeBytes(whole, takeLength(whole, 1)));
    if (remaining(cursor) === 0) return 'it is empty';
    skipPreamble(meta, cursor);
    const name = skipCall(meta, callType, cursor);
    const left = remaining(cursor);
    if (left === 0) return null;
    return `${left} ${left === 1 ? 'byte is' : 'bytes are'} left over after ${name}: ${showBytes(takeBytes(cursor, left))}`;
  } catch (fault) {
    if (fault instanceof DecodeFault) return fault.message;
    throw fault;
  }
};
