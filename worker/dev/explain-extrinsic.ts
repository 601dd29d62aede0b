import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { readValue } from './decode.ts';
import type { Outline } from './metadata.ts';
import { type Coding, type Types, typeAt, type Variant } from './types.ts';

// Says what is wrong with bytes that a runtime refused to decode: the runtime itself only panics.

const wrong = (why: string): NodeError => new NodeError('BadScale', why);

/** Decodes a part of the extrinsic; an error names the part. */
const skip = (coding: Coding, type: number, reader: Reader, what: string): void => {
  try {
    readValue(coding, type, reader);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw wrong(`${what} cannot be decoded (${error.message})`);
  }
};

const variantsAt = (types: Types, id: number | undefined): readonly Variant[] => {
  const def = id === undefined ? null : typeAt(types, id);
  return def?.kind === 'variant' ? def.variants : [];
};

/** Decodes a call and returns its name. */
const skipCall = (coding: Coding, type: number, reader: Reader): string => {
  const left = reader.remaining;
  if (left < 2) throw wrong(left === 0 ? 'there is no call' : 'the call ends after its pallet');
  const [palletIndex, callIndex] = [reader.u8(), reader.u8()];
  const pallet = variantsAt(coding.types, type).find(({ index }) => index === palletIndex);
  if (pallet === undefined) throw wrong(`the runtime has no calls of a pallet with index ${palletIndex}`);
  const call = variantsAt(coding.types, pallet.fields[0]?.type).find(({ index }) => index === callIndex);
  if (call === undefined) throw wrong(`${pallet.name} has no call with index ${callIndex}`);
  const name = `${pallet.name}.${call.name}`;
  for (const { name: argument, type: of } of call.fields)
    skip(coding, of, reader, `\`${argument ?? 'an argument'}\` of ${name}`);
  return name;
};

/** What follows the first byte, up to the call. */
const skipPreamble = (coding: Coding, { extrinsic, extensions }: Outline, reader: Reader): void => {
  const first = reader.u8();
  const [kind, version] = [first >> 6, first & 0b0011_1111];
  if (version < 4 || version > 5 || kind === 3)
    throw wrong(`it begins with ${bytesToHex(Uint8Array.of(first))}, which is no version of an extrinsic`);
  if (kind === 0) return;
  if (kind === 2) {
    skip(coding, extrinsic?.address ?? -1, reader, 'the address of the signer');
    skip(coding, extrinsic?.signature ?? -1, reader, 'the signature');
  } else reader.u8();
  for (const { identifier, extra } of extensions) skip(coding, extra, reader, `the extension ${identifier}`);
};

const longestShown = 16;

const showBytes = (bytes: Uint8Array): string =>
  `${bytesToHex(bytes.subarray(0, longestShown))}${bytes.length > longestShown ? '…' : ''}`;

/**
 * Why the metadata does not describe these bytes of an extrinsic, with their length in front; null if it does, or if
 * the metadata does not say what an extrinsic is made of.
 */
export const explainExtrinsic = (
  crypto: Coding['crypto'],
  outline: Outline,
  bytes: Uint8Array,
): string | null => {
  const { extrinsic, types } = outline;
  if (extrinsic === null) return null;
  const coding = { types, crypto };
  try {
    const reader = new Reader(new Reader(bytes).vecBytes());
    if (reader.remaining === 0) return 'it is empty';
    skipPreamble(coding, outline, reader);
    const name = skipCall(coding, extrinsic.call, reader);
    const left = reader.remaining;
    if (left === 0) return null;
    return `${left} ${left === 1 ? 'byte is' : 'bytes are'} left over after ${name}: ${showBytes(reader.take(left))}`;
  } catch (error) {
    if (error instanceof NodeError) return error.message;
    throw error;
  }
};
