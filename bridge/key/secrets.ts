import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NodeError } from '../../src/protocol/errors.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { bad } from '../cli/arguments.ts';
import type { KeyIo } from './key-command.ts';

// No message from this folder repeats a secret or anything that may be one, such as an argument in the wrong
// place.

const toText = (what: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw bad(`${what} is not UTF-8 text`, cause);
  }
};

/** Nothing means the public development phrase, so a file that is empty by mistake must not be read as one. */
const needText = (what: string, text: string): string => {
  if (text !== '') return text;
  throw new NodeError('BadKey', `${what} is empty`);
};

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const readNamed = async (what: string, path: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch (cause) {
    throw bad(`The file of ${what} cannot be read`, cause);
  }
};

/** What looks like the path of a file, and is none, is a derivation of the development phrase, as for the SDK. */
const noteMissing = async (given: string, io: KeyIo): Promise<void> => {
  if (!/^\/[^/]+\//.test(given)) return;
  const folder = await stat(dirname(given)).catch(() => null);
  if (folder?.isDirectory() === true)
    io.note(
      'The URI looks like a path, but is no file: it is read as a path of the public development phrase.',
    );
};

/** A URI as given, or from the file it names, or typed, or from stdin. Throws `BadKey` if one that is read is empty. */
export const readUri = async (given: string | undefined, io: KeyIo): Promise<string> => {
  if (given !== undefined && (await isFile(given))) {
    const text = toText('The file of the URI', await readNamed('the URI', given)).trimEnd();
    return needText('The file of the URI', text);
  }
  if (given !== undefined) {
    await noteMissing(given, io);
    return given;
  }
  if (io.askHidden !== null) return needText('The URI', await io.askHidden('URI: '));
  return needText('The URI on stdin', toText('The URI on stdin', await io.readAll()).trim());
};

export type PasswordValues = {
  readonly password?: string | undefined;
  readonly 'password-interactive'?: boolean | undefined;
  readonly 'password-filename'?: string | undefined;
};

/** Null: the URI's own. A line end after the password of a file is not part of it. */
export const readPassword = async (values: PasswordValues, io: KeyIo): Promise<string | null> => {
  const flags = ['password', 'password-interactive', 'password-filename'] as const;
  if (flags.filter((flag) => values[flag] !== undefined).length > 1)
    throw bad('--password, --password-interactive and --password-filename cannot be combined');
  const file = values['password-filename'];
  if (file !== undefined)
    return toText('The file of the password', await readNamed('the password', file)).replace(/\r?\n$/, '');
  if (values['password-interactive'] !== true) return values.password ?? null;
  if (io.askHidden === null) throw bad('--password-interactive needs a terminal: use --password-filename');
  return io.askHidden('Key password: ');
};

/** A secret URI with this password in place of its own. */
const withPassword = (uri: string, password: string | null): string => {
  if (password === null) return uri;
  const at = uri.indexOf('///');
  return `${at < 0 ? uri : uri.slice(0, at)}///${password}`;
};

/** The URI as it was given, and with the password of the flags. */
export type SecretGiven = { readonly uri: string; readonly full: string };

export const readSecret = async (
  given: string | undefined,
  values: PasswordValues,
  io: KeyIo,
): Promise<SecretGiven> => {
  const uri = await readUri(given, io);
  return { uri, full: withPassword(uri, await readPassword(values, io)) };
};

type Given = {
  readonly message?: string | undefined;
  readonly file?: string | undefined;
  readonly hex?: boolean | undefined;
};

/** The bytes of `--message` or `--file`, or else of stdin; `what` they are. Throws `BadHex`. */
export const readBytes = async (
  what: string,
  { message, file, hex }: Given,
  io: KeyIo,
): Promise<Uint8Array> => {
  if (message !== undefined && file !== undefined) throw bad('--message and --file cannot be combined');
  const read = (): Promise<Uint8Array> =>
    file === undefined ? io.readAll() : readNamed(what.toLowerCase(), file);
  const bytes = message === undefined ? await read() : new TextEncoder().encode(message);
  return hex === true ? toHexBytes(what, toText(what, bytes).trim()) : bytes;
};

/** Throws `BadHex`; unlike in JSON-RPC, an odd digit is refused. */
export const toHexBytes = (what: string, text: string): Uint8Array => {
  if (/^(0x)?([0-9a-f]{2})*$/i.test(text)) return hexToBytes(text);
  throw new NodeError('BadHex', `${what} is not hexadecimal`);
};
