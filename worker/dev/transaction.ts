import { concatBytes, noBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import type { RuntimeVersion } from '../codec/runtime-version.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { encodeValue } from './encode.ts';
import { mockSignature } from './impersonation.ts';
import type { Outline, SignedExtension } from './metadata.ts';
import type { Coding } from './types.ts';

/** The data that a signature covers in addition to the call. */
export type Signing = {
  readonly nonce: number;
  readonly genesis: Uint8Array;
  readonly version: RuntimeVersion;
};

type Part = readonly [extra: Uint8Array, additional: Uint8Array];

const compact = (value: number): Uint8Array => new Writer(5).compact(value).finish();
const u32 = (value: number): Uint8Array => new Writer(4).u32(value).finish();

/**
 * What a signed extension adds to the transaction and to its signed payload, for an immortal transaction
 * without tip.
 */
const partOf = (identifier: string, { nonce, genesis, version }: Signing): Part | null => {
  switch (identifier) {
    case 'AuthorizeCall':
    case 'CheckNonZeroSender':
    case 'CheckWeight':
    case 'WeightReclaim':
    case 'StorageWeightReclaim':
      return [noBytes, noBytes];
    case 'CheckSpecVersion':
      return [noBytes, u32(version.specVersion)];
    case 'CheckTxVersion':
      return [noBytes, u32(version.transactionVersion)];
    case 'CheckGenesis':
      return [noBytes, genesis];
    case 'CheckMortality':
    case 'CheckEra':
      return [Uint8Array.of(0), genesis];
    case 'CheckNonce':
      return [compact(nonce), noBytes];
    case 'ChargeTransactionPayment':
      return [compact(0), noBytes];
    case 'ChargeAssetTxPayment':
      return [Uint8Array.of(0, 0), noBytes];
    case 'CheckMetadataHash':
      return [Uint8Array.of(0), Uint8Array.of(0)];
    default:
      return null;
  }
};

/** Like `partOf`; for an unknown extension, the default of its type. */
const extraOf = (coding: Coding, { identifier, extra }: SignedExtension, signing: Signing): Uint8Array =>
  partOf(identifier, signing)?.[0] ?? encodeValue(coding, extra, undefined, identifier);

const signedForm = (publicKey: Uint8Array, signature: Uint8Array, extra: Uint8Array, call: Uint8Array) => {
  const address = concatBytes(Uint8Array.of(0x84, 0), publicKey);
  return new Writer(256).vecBytes(concatBytes(address, Uint8Array.of(1), signature, extra, call)).finish();
};

/** An extrinsic on behalf of an account, with a mock signature. */
export const mockTransaction = (
  crypto: Coding['crypto'],
  outline: Outline,
  call: Uint8Array,
  publicKey: Uint8Array,
  signing: Signing,
): Uint8Array => {
  const extra = outline.extensions.map((extension) =>
    extraOf({ types: outline.types, crypto }, extension, signing),
  );
  return signedForm(publicKey, mockSignature(), concatBytes(...extra), call);
};

/**
 * An sr25519-signed extrinsic, version 4; null if the runtime has a signed extension unknown to this node.
 */
export const signTransaction = (
  crypto: Pick<Crypto, 'sr25519Sign' | 'blake2b256'>,
  outline: Outline,
  call: Uint8Array,
  signer: { readonly publicKey: Uint8Array; readonly secret: Uint8Array },
  signing: Signing,
): Uint8Array | null => {
  const parts = outline.extensions.map(({ identifier }) => partOf(identifier, signing));
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length) return null;
  const extra = concatBytes(...known.map(([bytes]) => bytes));
  const payload = concatBytes(call, extra, ...known.map(([, bytes]) => bytes));
  const message = payload.length > 256 ? crypto.blake2b256(payload) : payload;
  const signature = crypto.sr25519Sign(signer.secret, message);
  return signedForm(signer.publicKey, signature, extra, call);
};
