import { type KeyType, keyTypes } from '../../src/accounts/pair.ts';
import { saveAccount } from '../../src/accounts/save-account.ts';
import { pairOfUri } from '../../src/accounts/uri-pair.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { bad } from '../cli/arguments.ts';
import { readAccountText } from './account-files.ts';
import { keyCommand, refuseArguments } from './key-command.ts';
import { writeSecret } from './node-key.ts';
import { readPassword, readUri } from './secrets.ts';

/** sr25519 by default; unlike the keys of a node, accounts may be of Ethereum. */
export const parseType = (text = 'sr25519'): KeyType => {
  const found = keyTypes.find((type) => type === text.toLowerCase());
  if (found !== undefined) return found;
  throw bad(`--scheme: expected one of ${keyTypes.join(', ')}`);
};

/** `tabnode key export`: a key as the encrypted JSON of polkadot-js. */
export const keyExport = keyCommand('export', async ({ values, positionals }, output, io) => {
  refuseArguments('export', positionals, ': pass --suri');
  const type = parseType(values.scheme);
  if ((await readAccountText(values.suri)) !== null)
    throw bad('--suri names a JSON account, which is exported already');
  const uri = await readUri(values.suri, io);
  const password = await readPassword(values, io);
  if (password === null || password === '')
    throw bad(
      'key export needs the password of the file: --password-filename, --password-interactive or --password',
    );
  const pair = await pairOfUri(uri, type);
  const json = saveAccount(pair, { name: values.name ?? 'tabnode' }, password);
  if (values.file === undefined) return output.line(json);
  writeSecret(values.file, json, values.yes === true);
  const publicKey = bytesToHex(pair.publicKey);
  output.line(
    values.json === true
      ? JSON.stringify({ file: values.file, publicKey })
      : `Saved the key ${publicKey} in ${values.file}.`,
  );
});
