import { decodeAddress } from '@polkadot/util-crypto/address';
import { jsonDecryptData } from '@polkadot/util-crypto/json';
import { NodeError } from '../protocol/errors.ts';
import { readHex } from '../scale/hex.ts';
import { type AccountFile, type BatchFile, readAccountFile, readBatch, type Sealed } from './account-file.ts';
import { accountIdOf, isEqual, type KeyType, type Pair, pairOfSecret } from './pair.ts';
import { splitPair } from './pair-bytes.ts';

/** An account whose password was right; `pair` is the proven one. */
export type OpenAccount = { readonly file: AccountFile; readonly pair: Pair };

/** What a password has opened: a batch may have accounts with passwords of their own. */
export type OpenedFile = {
  readonly opened: readonly OpenAccount[];
  readonly locked: readonly AccountFile[];
};

/** Called after each account; the next one waits for what it returns, and is not opened if that rejects. */
export type OnOpened = (done: number, total: number) => void | Promise<void>;

const bad = (message: string, cause?: unknown): NodeError =>
  new NodeError('BadAccountFile', message, cause === undefined ? {} : { cause });

const names = { scrypt: ['scrypt', 'xsalsa20-poly1305'], plain: ['xsalsa20-poly1305'] } as const;

/** The longest password that is tried; each of its bytes is hashed. */
const longestPassword = 10_000;

/** Decrypts; scrypt takes about half a second and 128 MB. Throws `WrongPassword` and `BadAccountFile`. */
const unseal = ({ bytes, cipher }: Sealed, password: string): Uint8Array => {
  if (cipher === null) return bytes;
  if (password === '') throw new NodeError('WrongPassword', 'Enter the password of the account.');
  if (password.length > longestPassword) throw new NodeError('WrongPassword');
  try {
    return jsonDecryptData(bytes, password, [...names[cipher]]);
  } catch (cause) {
    const text = String(cause);
    // The library allows the parameters that polkadot-js has used: others could take hours, or all memory.
    if (/scrypt/i.test(text))
      throw bad('The file asks for scrypt parameters that no version of polkadot-js has used.', cause);
    if (/passphrase/i.test(text)) throw new NodeError('WrongPassword', undefined, { cause });
    throw bad('The encrypted part of the file is damaged.', cause);
  }
};

/** The bytes of an address or hexadecimal key. Throws `BadAccountFile` if it is neither. */
const bytesOfAddress = (address: string): Uint8Array => {
  try {
    const bytes = /^0x/i.test(address) ? readHex(address) : decodeAddress(address);
    if (bytes !== null) return bytes;
  } catch {
    // As if there were no digits.
  }
  throw bad('The file is damaged: its address is neither an SS58 address nor a public key.');
};

/** Whether a public key as files have it is that of a pair: itself, its account id, or a secp256k1 point in its long form. */
const isKeyOf = (pair: Pair, publicKey: Uint8Array): boolean => {
  if ([pair.publicKey, accountIdOf(pair)].some((one) => isEqual(one, publicKey))) return true;
  const x = pair.publicKey.subarray(-32);
  return pair.publicKey.length === 33 && publicKey.length >= 64 && isEqual(x, publicKey.slice(-64, -32));
};

/** Version 0 names no type: the one whose key is that of the file. */
const pairOfFile = ({ type }: AccountFile, secret: Uint8Array, publicKey: Uint8Array): Pair | null => {
  const types: readonly KeyType[] = type === null ? ['ed25519', 'sr25519'] : [type];
  for (const one of types) {
    const pair = pairOfSecret(one, secret, publicKey);
    if (pair !== null && isKeyOf(pair, publicKey)) return pair;
  }
  return null;
};

/** Decrypts an account and proves that its key is that of its address. Throws `WrongPassword` and `BadAccountFile`. */
export const openAccount = (file: AccountFile, password: string): OpenAccount => {
  const decrypted = unseal(file.sealed, password);
  const { secret, publicKey } = splitPair(decrypted);
  const pair = pairOfFile(file, secret, publicKey);
  decrypted.fill(0);
  if (pair === null) throw bad('The file is damaged: its secret does not belong to its public key.');
  const shown = file.address === null ? null : bytesOfAddress(file.address);
  if (shown === null || isKeyOf(pair, shown)) return { file, pair };
  throw bad('The file shows the address of another account than that of its key.');
};

const openBatch = async (batch: BatchFile, password: string, onOpened?: OnOpened): Promise<OpenedFile> => {
  const decrypted = unseal(batch.sealed, password);
  const files = readBatch(new TextDecoder().decode(decrypted));
  const opened: OpenAccount[] = [];
  const locked: AccountFile[] = [];
  for (const file of files) {
    try {
      opened.push(openAccount(file, password));
    } catch (error) {
      if (!(error instanceof NodeError) || error.code !== 'WrongPassword') throw error;
      locked.push(file);
    }
    await onOpened?.(opened.length + locked.length, files.length);
  }
  return { opened, locked };
};

/**
 * Opens the JSON of an account or of a batch. Accounts of a batch that have another password are returned as locked. Takes about half
 * a second of computing for each scrypt: run it where nobody waits. Rejects with `BadAccountFile`, `WrongPassword` or `LimitReached`.
 */
export const openAccountFile = async (
  text: string,
  password: string,
  onOpened?: OnOpened,
): Promise<OpenedFile> => {
  const file = readAccountFile(text);
  if (file.kind === 'batch') return openBatch(file, password, onOpened);
  const opened = [openAccount(file, password)];
  await onOpened?.(1, 1);
  return { opened, locked: [] };
};
