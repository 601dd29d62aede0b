import { encodeAddress } from '@polkadot/util-crypto/address';
import { jsonEncrypt } from '@polkadot/util-crypto/json';
import { NodeError } from '../protocol/errors.ts';
import { toHex } from '../scale/hex.ts';
import type { Pair } from './pair.ts';
import { pairToBytes } from './pair-bytes.ts';

/** What is saved beside the key, unencrypted. */
export type AccountMeta = { readonly name: string; readonly genesisHash?: string };

/** The JSON of an account, version 3, as the extension and the apps of polkadot-js write it. */
type AccountJson = {
  readonly encoded: string;
  readonly encoding: { readonly content: readonly string[] };
  readonly address: string;
  readonly meta: AccountMeta;
};

const checkPassword = (password: string): void => {
  if (password !== '') return;
  throw new NodeError('WrongPassword', 'Enter a password: an account is saved only encrypted.');
};

const toJson = (pair: Pair, meta: AccountMeta, password: string): AccountJson => {
  const { type, publicKey } = pair;
  const plain = pairToBytes(pair);
  const sealed = jsonEncrypt(plain, ['pkcs8', type], password);
  plain.fill(0);
  // The key cannot be read back from an address that is a hash, so its place has the key itself.
  const address = publicKey.length === 32 ? encodeAddress(publicKey, 42) : toHex(publicKey);
  return { ...sealed, address, meta };
};

/**
 * The JSON of an account, which polkadot-js opens with this password. Takes about half a second (scrypt). Throws `WrongPassword` if the
 * password is empty.
 */
export const saveAccount = (pair: Pair, meta: AccountMeta, password: string): string => {
  checkPassword(password);
  return JSON.stringify(toJson(pair, meta, password));
};

/** The JSON of several accounts as one file, all with this password. Throws `WrongPassword` if it is empty. */
export const saveBatch = (
  accounts: readonly { readonly pair: Pair; readonly meta: AccountMeta }[],
  password: string,
): string => {
  checkPassword(password);
  const all = accounts.map(({ pair, meta }) => toJson(pair, meta, password));
  const sealed = jsonEncrypt(new TextEncoder().encode(JSON.stringify(all)), ['batch-pkcs8'], password);
  return JSON.stringify({ ...sealed, accounts: all.map(({ address, meta }) => ({ address, meta })) });
};
