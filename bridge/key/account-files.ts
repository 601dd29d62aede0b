import { readFile, stat } from 'node:fs/promises';
import { type AccountFile, checkFileSize, readAccountFile } from '../../src/accounts/account-file.ts';
import { type OpenedFile, openAccountFile } from '../../src/accounts/open-account.ts';
import { accountIdOf, type Pair } from '../../src/accounts/pair.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import { ss58Encode } from '../../worker/crypto/ss58.ts';
import { bad } from '../cli/arguments.ts';
import type { KeyIo } from './key-command.ts';
import { defaultPrefix, type KeyFormat, networkName } from './options.ts';
import { type PasswordValues, readPassword } from './secrets.ts';

/** The text of the JSON account that an argument names; null if it names none. Throws `LimitReached`. */
export const readAccountText = async (given: string | undefined): Promise<string | null> => {
  if (given === undefined) return null;
  const found = await stat(given).catch(() => null);
  if (found?.isFile() !== true) return null;
  if (given.toLowerCase().endsWith('.json')) checkFileSize(found.size);
  else if (found.size > 1_000_000) return null;
  const text = await readFile(given, 'utf8').catch(() => '');
  return given.toLowerCase().endsWith('.json') || text.trimStart().startsWith('{') ? text : null;
};

/** Opens it with the password of the flags, or asks for one on a terminal; null if there is none. */
export const openGiven = async (
  text: string,
  values: PasswordValues,
  io: KeyIo,
): Promise<OpenedFile | null> => {
  const password = (await readPassword(values, io)) ?? null;
  return password === null ? null : openAccountFile(text, password);
};

/** An account without encryption. Throws `WrongPassword`, which says how to give a password. */
const openPlain = async (text: string): Promise<OpenedFile> => {
  try {
    return await openAccountFile(text, '');
  } catch (error) {
    if (!(error instanceof NodeError) || error.code !== 'WrongPassword') throw error;
    throw new NodeError(
      'WrongPassword',
      'The JSON account is encrypted: pass --password-filename, --password-interactive or --password',
      { cause: error },
    );
  }
};

type OneValues = PasswordValues & { readonly scheme?: string | undefined };

/** The one key of a JSON account, for a signature or a keystore. Throws `BadConfig`, `WrongPassword` and `BadAccountFile`. */
export const openOne = async (text: string, values: OneValues, io: KeyIo): Promise<Pair> => {
  const { opened, locked } = (await openGiven(text, values, io)) ?? (await openPlain(text));
  const [first, ...others] = opened;
  if (first === undefined || others.length + locked.length > 0)
    throw bad('The file has several accounts: export the one that is meant by itself');
  const { type } = first.pair;
  if (values.scheme === undefined || values.scheme.toLowerCase() === type) return first.pair;
  throw bad(`--scheme ${values.scheme}: the key of the file is of ${type}`);
};

type Shown = { readonly file: AccountFile; readonly pair: Pair | null };

/** Fields in the order of the alphabet, as those of the SDK. */
const fieldsOf = (crypto: Crypto, { file, pair }: Shown, prefix: number) => {
  const { name, type, address, genesisHash } = file;
  const id = pair === null ? null : accountIdOf(pair);
  return {
    ...(id === null ? { address } : { accountId: bytesToHex(id) }),
    ...(genesisHash === null ? {} : { genesisHash }),
    isOpen: pair !== null,
    name,
    ...(pair === null ? {} : { networkId: networkName(prefix), publicKey: bytesToHex(pair.publicKey) }),
    scheme: pair?.type ?? type,
    ...(id === null ? {} : { ss58Address: id.length === 20 ? null : ss58Encode(crypto, id, prefix) }),
  };
};

const labels: Readonly<Record<string, string>> = {
  accountId: 'Account ID:',
  address: 'Address:',
  genesisHash: 'Genesis hash:',
  networkId: 'Network ID:',
  publicKey: 'Public key (hex):',
  scheme: 'Scheme:',
  ss58Address: 'SS58 Address:',
};

const textOf = (fields: ReturnType<typeof fieldsOf>): string => {
  const rows = Object.entries(fields).flatMap(([key, value]) =>
    labels[key] === undefined || value === null ? [] : [`  ${labels[key].padEnd(19)}${value}`],
  );
  const title = fields.isOpen ? 'is account:' : 'is encrypted; give its password to verify it:';
  return [`JSON account \`${fields.name ?? 'without a name'}\` ${title}`, ...rows].join('\n');
};

/** What a JSON account shows; with its password, what its key proves. */
export const describeAccountFile = (
  crypto: Crypto,
  text: string,
  opened: OpenedFile | null,
  { format, prefix = defaultPrefix }: { readonly format: KeyFormat; readonly prefix: number | undefined },
): string => {
  const shown = shownOf(text, opened);
  const all = shown.map((one) => fieldsOf(crypto, one, prefix));
  if (format === 'text') return all.map(textOf).join('\n');
  const [only, ...others] = all;
  return JSON.stringify(others.length === 0 ? only : all, null, format === 'json' ? 2 : 0);
};

const shownOf = (text: string, opened: OpenedFile | null): readonly Shown[] => {
  if (opened !== null) return [...opened.opened, ...opened.locked.map((file) => ({ file, pair: null }))];
  const file = readAccountFile(text);
  if (file.kind === 'account') return [{ file, pair: null }];
  throw new NodeError('WrongPassword', 'The file has several accounts: give its password to see them');
};
