import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes } from '../../worker/bytes/bytes.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Scheme } from '../../worker/crypto/keys.ts';
import { entropyToMnemonic } from '../../worker/crypto/mnemonic.ts';
import { bad } from '../cli/arguments.ts';
import {
  accountOf,
  describeKey,
  findKey,
  type KnownKey,
  readAddress,
  readPair,
  readPublicHex,
} from './describe.ts';
import { keyCommand, refuseArguments } from './key-command.ts';
import { defaultPrefix, parseFormat, parseNetwork, parseScheme } from './options.ts';
import { readSecret, type SecretGiven } from './secrets.ts';

const wordCounts: readonly string[] = ['12', '15', '18', '21', '24'];

/** `tabnode key generate`: a new phrase and its key. */
export const keyGenerate = keyCommand('generate', async ({ values, positionals }, output, io) => {
  refuseArguments('generate', positionals);
  const { words = '12', network } = values;
  if (!wordCounts.includes(words)) throw bad('--words: expected one of 12, 15, 18, 21, 24');
  const scheme = parseScheme(values.scheme);
  const format = parseFormat(values);
  const prefix = network === undefined ? undefined : parseNetwork(network);
  const crypto = await loadCrypto();
  const entropy = globalThis.crypto.getRandomValues(new Uint8Array((Number(words) * 4) / 3));
  const given = await readSecret(entropyToMnemonic(crypto.sha2256, entropy), values, io);
  output.line(describeKey(crypto, findKey(crypto, scheme, given, prefix), format));
});

/** The URI without its derivations, with its password. */
const baseOf = ({ full }: SecretGiven): string => {
  const [beforePassword = '', ...password] = full.split('///');
  const phrase = beforePassword.replace(/\/.*$/s, '');
  return password.length === 0 ? phrase : `${phrase}///${password.join('///')}`;
};

/** Compares the key before derivation, as the SDK does. Throws `BadKey`. */
const expectPublic = (crypto: Crypto, scheme: Scheme, given: SecretGiven, expected: string): void => {
  const pair = readPair(crypto, scheme, baseOf(given));
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
  const given = await readSecret(positionals[0], values, io);
  const crypto = await loadCrypto();
  if (expected !== undefined) expectPublic(crypto, scheme, given, expected);
  const key: KnownKey = isPublic
    ? {
        kind: 'hex',
        given: given.uri,
        prefix: prefix ?? defaultPrefix,
        publicKey: readPublicHex(scheme, given.uri),
      }
    : findKey(crypto, scheme, given, prefix);
  output.line(describeKey(crypto, key, format));
});
