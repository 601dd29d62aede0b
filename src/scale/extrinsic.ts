import { compactNumber, u8 } from '@polkadot-api/substrate-bindings';
import {
  createCursor,
  DecodeFault,
  digitsText,
  remaining,
  takeByte,
  takeCompact,
  takeEnd,
  takeLength,
} from './cursor.ts';
import { decodeAt } from './decode.ts';
import { EncodeFault, encodeJson } from './encode.ts';
import { fromHex, joinBytes, toHex } from './hex.ts';
import type { Decoded, Json, RuntimeMeta } from './types.ts';

/** A decoded extrinsic; offsets of its parts are relative to the first byte of `bytes`. */
export type DecodedExtrinsic = {
  readonly kind: 'bare' | 'signed' | 'general';
  readonly version: number;
  readonly bytes: Uint8Array;
  readonly address: Decoded | null;
  readonly signature: Decoded | null;
  /** The transaction extensions that have encoded data, in order. */
  readonly extensions: readonly { readonly name: string; readonly value: Decoded }[];
  readonly call: Decoded;
};

const need = (type: number | null): number => {
  if (type === null) throw new DecodeFault('the metadata does not name this type', 0);
  return type;
};

/** By the first byte (sp_runtime::generic::UncheckedExtrinsic); its lower six bits are the version. */
const formats: Readonly<Record<number, DecodedExtrinsic['kind']>> = {
  4: 'bare',
  132: 'signed',
  5: 'bare',
  69: 'general',
};

/** Throws DecodeFault for a mortal era whose phase is not within its period (sp_runtime::generic::Era). */
const checkEra = (bytes: Uint8Array, at: number): void => {
  const [low = 0, high = 0] = bytes.subarray(at);
  const period = 2 << (low & 15);
  const phase = ((low | (high << 8)) >> 4) * Math.max(1, period >> 12);
  if (period < 4 || phase >= period)
    throw new DecodeFault(`phase ${phase} is not within ${period} blocks`, at);
};

/** An extrinsic without bytes after it (0x strings); unchanged if its length prefix is not valid. */
export const wholeExtrinsic = (hex: string): string => {
  const cursor = createCursor(fromHex(hex));
  try {
    return hex.slice(0, 2 + 2 * (takeLength(cursor, 1) + cursor.at));
  } catch {
    return hex;
  }
};

/** Decodes a whole extrinsic (0x string with the length prefix); throws DecodeFault. */
export const decodeExtrinsic = (meta: RuntimeMeta, hex: string): DecodedExtrinsic => {
  const bytes = fromHex(hex);
  const cursor = createCursor(bytes);
  const length = takeCompact(cursor);
  if (length !== BigInt(remaining(cursor)))
    throw new DecodeFault(`the length prefix is ${digitsText(length)}, ${remaining(cursor)} bytes follow`, 0);
  const format = takeByte(cursor);
  const version = format & 0x3f;
  const kind = formats[format];
  if (kind === undefined) throw new DecodeFault(`${format} is not the format of an extrinsic`, cursor.at - 1);
  const isSigned = kind === 'signed';
  const address = isSigned ? decodeAt(meta, need(meta.addressType), cursor) : null;
  const signature = isSigned ? decodeAt(meta, need(meta.signatureType), cursor) : null;
  const group = kind === 'general' ? takeByte(cursor) : 0;
  const list = kind === 'bare' ? [] : (meta.metadata.extrinsic.extensionsByVersion[group] ?? []);
  const extensions = list.map(({ identifier, type }) => {
    const { at } = cursor;
    const value = decodeAt(meta, type, cursor);
    if (/^Check(Mort|Era)/.test(identifier) && cursor.at > at + 1) checkEra(bytes, at);
    return { name: identifier, value };
  });
  const call = decodeAt(meta, need(meta.callType), cursor);
  takeEnd(cursor);
  return { kind, version, bytes, address, signature, extensions, call };
};

/** The signer's account id as a 0x string; null if unsigned, or if the address is not a plain account id. */
export const signerOf = (extrinsic: DecodedExtrinsic): string | null => {
  const { address } = extrinsic;
  const inner = address?.kind === 'variant' ? address.value : address;
  return inner?.kind === 'account' ? inner.id : null;
};

/** Encodes a call: pallet index, call index, arguments; throws EncodeFault. */
export const encodeCall = (meta: RuntimeMeta, pallet: string, call: string, args: Json): Uint8Array =>
  encodeJson(meta, need(meta.callType), { [pallet]: args === null ? call : { [call]: args } });

/** Values of transaction extensions by name, as JSON of the extension's two types. */
export type ExtensionValues = Readonly<Record<string, { readonly value?: Json; readonly additional?: Json }>>;

/** The encoded value of one extension; null if the runtime lacks it. */
export const extensionValue = (
  meta: RuntimeMeta,
  name: string,
  values: ExtensionValues,
): Uint8Array | null => {
  const found = (meta.metadata.extrinsic.extensionsByVersion[0] ?? []).find(
    ({ identifier }) => identifier === name,
  );
  const value = values[name]?.value;
  return found === undefined || value === undefined ? null : encodeJson(meta, found.type, value);
};

/** Encodes the value of a transaction extension that the caller does not know. */
export type EncodeUnknown = (name: string, type: number) => Uint8Array;

const encodeExtensions = (meta: RuntimeMeta, values: ExtensionValues, unknown?: EncodeUnknown) => {
  const list = meta.metadata.extrinsic.extensionsByVersion[0] ?? [];
  const encodeOne = (name: string, type: number, json: Json | undefined): Uint8Array => {
    const { type: shape } = meta.lookup(type);
    if (shape === 'void') return new Uint8Array();
    if (json !== undefined) return encodeJson(meta, type, json);
    // An optional extension without a value is encoded as None. Anything else must be known, or the signature
    // would be invalid.
    if (shape === 'option') return Uint8Array.of(0);
    if (unknown !== undefined) return unknown(name, type);
    throw new EncodeFault(name, `the ${meta.typeName(type)} of this transaction extension is unknown`);
  };
  return {
    value: joinBytes(
      ...list.map(({ identifier, type }) => encodeOne(identifier, type, values[identifier]?.value)),
    ),
    additional: joinBytes(
      ...list.map(({ identifier, additionalSigned }) =>
        encodeOne(identifier, additionalSigned, values[identifier]?.additional),
      ),
    ),
  };
};

/** The extension values of an ordinary transaction. */
export const commonExtensions = (facts: {
  readonly nonce: number;
  readonly tip: bigint;
  readonly specVersion: number;
  readonly transactionVersion: number;
  readonly genesisHash: string;
  /** The block at which a mortal transaction's validity starts; null for an immortal one. */
  readonly mortal: { readonly period: number; readonly number: number; readonly hash: string } | null;
  /** The hash of the runtime's metadata (RFC-78), which then must be the one that the runtime was built with. Default: none. */
  readonly metadataHash?: string | null;
}): ExtensionValues => {
  const { mortal, metadataHash = null } = facts;
  const era = {
    value: mortal === null ? 'Immortal' : mortalEra(mortal.period, mortal.number),
    additional: mortal?.hash ?? facts.genesisHash,
  };
  return {
    CheckNonce: { value: facts.nonce },
    ChargeTransactionPayment: { value: facts.tip.toString() },
    ChargeAssetTxPayment: { value: { tip: facts.tip.toString(), asset_id: null } },
    CheckSpecVersion: { additional: facts.specVersion },
    // Its name until 2020.
    CheckVersion: { additional: facts.specVersion },
    CheckTxVersion: { additional: facts.transactionVersion },
    CheckGenesis: { additional: facts.genesisHash },
    CheckMortality: era,
    CheckEra: era,
    CheckMetadataHash: {
      value: { mode: metadataHash === null ? 'Disabled' : 'Enabled' },
      additional: metadataHash,
    },
    CheckWeight: {},
  };
};

/** Era::mortal (sp_runtime::generic::Era): the variant `MortalN` with one byte of data. */
const mortalEra = (period: number, current: number): Json => {
  const rounded = Math.min(65536, Math.max(4, 2 ** Math.ceil(Math.log2(period))));
  const factor = Math.max(1, rounded >> 12);
  const phase = Math.floor((current % rounded) / factor) * factor;
  const word = Math.min(15, Math.max(1, Math.log2(rounded) - 1)) | ((phase / factor) << 4);
  return { [`Mortal${word & 0xff}`]: word >> 8 };
};

/** A payload to sign, and a function that builds the extrinsic from the signature. */
export type Unsigned = {
  /** Bytes to sign, already hashed if longer than 256 bytes (sp_runtime SignedPayload). */
  readonly payload: Uint8Array;
  /** Returns the extrinsic as a 0x string; `address` and `signature` are JSON of their types. */
  finish(address: Json, signature: Json): string;
};

/** An account as JSON of the runtime's address type. */
export const addressJson = (meta: RuntimeMeta, account: string): Json =>
  meta.addressType !== null && meta.lookup(meta.addressType).type === 'enum' ? { Id: account } : account;

/** Prepares a V4 signed transaction; throws EncodeFault, for extensions that `values` lacks unless `unknown` encodes them. */
export const prepareExtrinsic = (
  meta: RuntimeMeta,
  call: Uint8Array,
  values: ExtensionValues,
  hash: (bytes: Uint8Array) => Uint8Array,
  unknown?: EncodeUnknown,
): Unsigned => {
  const { value, additional } = encodeExtensions(meta, values, unknown);
  const toSign = joinBytes(call, value, additional);
  return {
    payload: toSign.length > 256 ? hash(toSign) : toSign,
    finish: (address, signature) => {
      const body = joinBytes(
        u8.enc(0x84),
        encodeJson(meta, need(meta.addressType), address),
        encodeJson(meta, need(meta.signatureType), signature),
        value,
        call,
      );
      return toHex(joinBytes(compactNumber.enc(body.length), body));
    },
  };
};
