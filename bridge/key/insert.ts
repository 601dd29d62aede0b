import { createConnection } from '../../src/connection.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { bad, type PlaceArguments, toKeptPlace } from '../cli/arguments.ts';
import { openChainSource } from '../files/chain-source.ts';
import { startIdleNode } from '../thread/node-thread.ts';
import { readAccountText } from './account-files.ts';
import { keyCommand, refuseArguments } from './key-command.ts';
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

/** `tabnode key insert`: adds a key to the keystore of a chain on disk. */
export const keyInsert = keyCommand('insert', async ({ values, positionals }, output, io) => {
  refuseArguments('insert', positionals, ': pass --suri');
  const type = values['key-type'];
  if (type === undefined || values.scheme === undefined)
    throw bad('key insert needs --key-type, such as babe or gran, and --scheme');
  if (!/^[\x20-\x7e]{4}$/.test(type)) throw bad('--key-type: expected four characters');
  const scheme = parseScheme(values.scheme);
  const place = toKeptPlace('key insert', values);
  if ((await readAccountText(values.suri)) !== null)
    throw bad('--suri names a JSON account: the keystore stores secret URIs');
  const { full } = await readSecret(values.suri, values, io);
  const pair = await findPair(await loadCrypto(), scheme, full);
  if (pair === null) throw new NodeError('BadKey', 'Invalid phrase/URI given');
  const publicKey = bytesToHex(pair.publicKey);
  await insert(place, { type, suri: full, publicKey });
  output.line(
    place.json ? JSON.stringify({ keyType: type, publicKey }) : `Inserted the key ${publicKey} as ${type}.`,
  );
});
