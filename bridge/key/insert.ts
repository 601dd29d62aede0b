import { createConnection } from '../../src/connection.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { bad, type PlaceArguments, toKeptPlace } from '../cli/arguments.ts';
import { openChainSource } from '../files/chain-source.ts';
import { startIdleNode } from '../thread/node-thread.ts';
import { openOne, readAccountText } from './account-files.ts';
import { type KeyArguments, type KeyIo, keyCommand, refuseArguments } from './key-command.ts';
import { parseScheme } from './options.ts';
import { findPair } from './phrases.ts';
import { readSecret } from './secrets.ts';

/** Stores a key as `author_insertKey` does; the chain is created if there is none. */
const insert = async (
  place: PlaceArguments,
  key: { readonly type: string; readonly suri: string; readonly publicKey: string },
): Promise<void> => {
  const node = await startIdleNode(await openChainSource(place));
  try {
    const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
    await connection.request('author_insertKey', [key.type, key.suri, key.publicKey]);
    connection.close();
  } finally {
    await node.stop();
  }
};

type Inserted = { readonly suri: string; readonly publicKey: Uint8Array };
type Values = KeyArguments<'insert'>['values'];

/** The key of a JSON account as the secret URI that the keystore holds. Throws `BadKey`, and as `openOne`. */
const readFromAccount = async (text: string, values: Values, io: KeyIo): Promise<Inserted> => {
  const { type, publicKey, secret } = await openOne(text, values, io);
  if (type === 'ed25519' || type === 'ecdsa')
    return { suri: bytesToHex(secret.subarray(0, 32)), publicKey: publicKey.slice() };
  const reason =
    type === 'ethereum'
      ? 'A node has no keys of Ethereum accounts'
      : 'A JSON account of sr25519 has no seed, which the keystore needs: pass its phrase with --suri';
  throw new NodeError('BadKey', reason);
};

/** The file of a JSON account: that of `--file`, or the one that `--suri` names, as in `key sign`. */
const findAccountText = async ({ file, suri }: Values): Promise<string | null> => {
  if (file === undefined) return readAccountText(suri);
  if (suri !== undefined) throw bad('--suri and --file cannot be combined');
  const text = await readAccountText(file);
  if (text === null) throw bad('--file: expected the file of a JSON account of polkadot-js');
  return text;
};

const readKey = async (values: Values, io: KeyIo): Promise<Inserted> => {
  const account = await findAccountText(values);
  if (account !== null) return readFromAccount(account, values, io);
  if (values.scheme === undefined) throw bad('key insert needs --scheme, or the --file of a JSON account');
  const scheme = parseScheme(values.scheme);
  const { full } = await readSecret(values.suri, values, io);
  const pair = await findPair(await loadCrypto(), scheme, full);
  if (pair === null) throw new NodeError('BadKey', 'Invalid phrase/URI given');
  return { suri: full, publicKey: pair.publicKey };
};

/** `tabnode key insert`: adds a key to the keystore of a chain on disk. */
export const keyInsert = keyCommand('insert', async ({ values, positionals }, output, io) => {
  refuseArguments('insert', positionals, ': pass --suri or --file');
  const type = values['key-type'];
  if (type === undefined) throw bad('key insert needs --key-type, such as babe or gran');
  if (!/^[\x20-\x7e]{4}$/.test(type)) throw bad('--key-type: expected four characters');
  const place = toKeptPlace('key insert', values);
  const { suri, publicKey: bytes } = await readKey(values, io);
  const publicKey = bytesToHex(bytes);
  await insert(place, { type, suri, publicKey });
  output.line(
    place.json ? JSON.stringify({ keyType: type, publicKey }) : `Inserted the key ${publicKey} as ${type}.`,
  );
});
