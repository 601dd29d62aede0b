import { generatePhrase, languages, wordCounts } from '../../src/accounts/mnemonic.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes } from '../../worker/bytes/bytes.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Scheme } from '../../worker/crypto/keys.ts';
import { bad } from '../cli/arguments.ts';
import { describeAccountFile, openGiven, readAccountText } from './account-files.ts';
import { accountOf, describeKey, findKey, type KnownKey, readAddress, readPublicHex } from './describe.ts';
import { keyCommand, refuseArguments } from './key-command.ts';
import { defaultPrefix, parseFormat, parseNetwork, parseScheme } from './options.ts';
import { findPair } from './phrases.ts';
import { readSecret, type SecretGiven } from './secrets.ts';

/** `tabnode key generate`: a new phrase and its key. */
export const keyGenerate = keyCommand('generate', async ({ values, positionals }, output, io) => {
  refuseArguments('generate', positionals);
  const { words = '12', network } = values;
  const count = /^\d+$/.test(words) ? Number(words) : 0;
  if (!wordCounts.includes(count)) throw bad('--words: expected one of 12, 15, 18, 21, 24');
  const language = languages.find(
    (one) => one.toLowerCase() === (values.language ?? 'english').toLowerCase(),
  );
  if (language === undefined) throw bad(`--language: expected one of ${languages.join(', ')}`);
  const scheme = parseScheme(values.scheme);
  const format = parseFormat(values);
  const prefix = network === undefined ? undefined : parseNetwork(network);
  const crypto = await loadCrypto();
  const given = await readSecret(await generatePhrase(count, language), values, io);
  output.line(describeKey(crypto, await findKey(crypto, scheme, given, prefix), format));
});

/** The URI without its derivations, with its password. */
const baseOf = ({ full }: SecretGiven): string => {
  const [beforePassword = '', ...password] = full.split('///');
  const phrase = beforePassword.replace(/\/.*$/s, '');
  return password.length === 0 ? phrase : `${phrase}///${password.join('///')}`;
};

/** Compares the key before derivation, as the SDK does. Throws `BadKey`. */
const expectPublic = async (
  crypto: Crypto,
  scheme: Scheme,
  given: SecretGiven,
  expected: string,
): Promise<void> => {
  const pair = await findPair(crypto, scheme, baseOf(given));
  if (pair === null) throw new NodeError('BadKey', '--expect-public needs a secret URI');
  const isHex = expected.startsWith('0x');
  const wanted = isHex
    ? readPublicHex(scheme, expected)
    : (readAddress(crypto, scheme, expected) ?? readAddress(crypto, 'sr25519', expected))?.publicKey;
  if (wanted === undefined) throw new NodeError('BadKey', `Invalid expected account id: \`${expected}\``);
  const { publicKey } = pair;
  if (!equalBytes(wanted, publicKey) && !equalBytes(wanted, accountOf(crypto, publicKey)))
    throw new NodeError('BadKey', `Expected public (${expected}) key does not match.`);
};

/** `tabnode key inspect`: the key of a phrase, seed, secret URI, address or public key. */
export const keyInspect = keyCommand('inspect', async ({ values, positionals }, output, io) => {
  if (positionals.length > 1) throw bad('key inspect takes one URI: put quotes around a phrase');
  const expected = values['expect-public'];
  const isPublic = values.public === true;
  if (isPublic && expected !== undefined) throw bad('--public and --expect-public cannot be combined');
  const scheme = parseScheme(values.scheme);
  const format = parseFormat(values);
  const prefix = values.network === undefined ? undefined : parseNetwork(values.network);
  const account = isPublic ? null : await readAccountText(positionals[0]);
  if (account !== null) {
    const opened = await openGiven(account, values, io);
    return output.line(describeAccountFile(await loadCrypto(), account, opened, { format, prefix }));
  }
  const given = await readSecret(positionals[0], values, io);
  const crypto = await loadCrypto();
  if (expected !== undefined) await expectPublic(crypto, scheme, given, expected);
  const key: KnownKey = isPublic
    ? {
        kind: 'hex',
        given: given.uri,
        prefix: prefix ?? defaultPrefix,
        publicKey: readPublicHex(scheme, given.uri),
      }
    : await findKey(crypto, scheme, given, prefix);
  output.line(describeKey(crypto, key, format));
});
