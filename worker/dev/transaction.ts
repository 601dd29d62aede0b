import { addressJson, commonExtensions, prepareExtrinsic, type Unsigned } from '../../src/scale/extrinsic.ts';
import { encodeGiven } from '../../src/scale/given/given.ts';
import { fromHex, toHex } from '../../src/scale/hex.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import type { RuntimeVersion } from '../codec/runtime-version.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { mockRecoverable, mockSignature } from '../executor/mock-signature.ts';
import { ethereumBytes } from './impersonation.ts';

/** The data that a signature covers in addition to the call. */
export type Signing = {
  readonly nonce: number;
  readonly genesis: Uint8Array;
  readonly version: Pick<RuntimeVersion, 'specVersion' | 'transactionVersion'>;
  /** For how many blocks it is valid, and from which one on. Default: for ever. */
  readonly mortal?: Parameters<typeof commonExtensions>[0]['mortal'];
};

const noHash = (bytes: Uint8Array): Uint8Array => bytes;

/** A transaction without a tip. */
const prepare = (
  meta: RuntimeMeta,
  call: Uint8Array,
  { nonce, genesis, version: { specVersion, transactionVersion }, mortal = null }: Signing,
  hash: (bytes: Uint8Array) => Uint8Array,
  unknown?: Parameters<typeof prepareExtrinsic>[4],
): Unsigned => {
  const genesisHash = toHex(genesis);
  const facts = { nonce, tip: 0n, specVersion, transactionVersion, genesisHash, mortal };
  return prepareExtrinsic(meta, call, commonExtensions(facts), hash, unknown);
};

const finish = (
  meta: RuntimeMeta,
  unsigned: Unsigned,
  account: Uint8Array,
  signature: Parameters<Unsigned['finish']>[1],
): Uint8Array => fromHex(unsigned.finish(addressJson(meta, toHex(account)), signature));

/**
 * An extrinsic on behalf of an account (a public key of 32 bytes, or an account of Ethereum), with a mock signature. An unknown transaction extension has the default of its
 * type. Throws EncodeFault if the runtime's addresses or signatures have another form.
 */
export const mockTransaction = (
  meta: RuntimeMeta,
  call: Uint8Array,
  account: Uint8Array,
  signing: Signing,
): Uint8Array => {
  const unsigned = prepare(meta, call, signing, noHash, (name, type) =>
    encodeGiven(meta, type, undefined, name),
  );
  const signature =
    account.length === ethereumBytes ? toHex(mockRecoverable()) : { Sr25519: toHex(mockSignature()) };
  return finish(meta, unsigned, account, signature);
};

/** An sr25519-signed extrinsic, version 4. Throws EncodeFault if the runtime has an extension unknown to this node. */
export const signTransaction = (
  crypto: Pick<Crypto, 'sr25519Sign' | 'blake2b256'>,
  meta: RuntimeMeta,
  call: Uint8Array,
  signer: { readonly publicKey: Uint8Array; readonly secret: Uint8Array },
  signing: Signing,
): Uint8Array => {
  const unsigned = prepare(meta, call, signing, crypto.blake2b256);
  const signature = toHex(crypto.sr25519Sign(signer.secret, unsigned.payload));
  return finish(meta, unsigned, signer.publicKey, { Sr25519: signature });
};
