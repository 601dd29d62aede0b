import { accountIdOf, type KeyType, signMessage, verifyEthereum } from '../../src/accounts/pair.ts';
import { pairOfUri } from '../../src/accounts/uri-pair.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import type { KeyPair, Scheme } from '../../worker/crypto/keys.ts';
import { bad } from '../cli/arguments.ts';
import { openOne, readAccountText } from './account-files.ts';
import { readAddress, readPublicHex } from './describe.ts';
import { parseType } from './export.ts';
import { keyCommand, refuseArguments } from './key-command.ts';
import { findPair } from './phrases.ts';
import { readBytes, readSecret, readUri, toHexBytes } from './secrets.ts';

const sign = (crypto: Crypto, { scheme, secret }: KeyPair, message: Uint8Array): Uint8Array => {
  if (scheme === 'sr25519') return crypto.sr25519Sign(secret, message);
  if (scheme === 'ed25519') return crypto.ed25519Sign(secret, message);
  return crypto.ecdsaSign(secret, crypto.blake2b256(message));
};

const verify = (
  crypto: Crypto,
  scheme: Scheme,
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
): boolean => {
  if (scheme === 'sr25519') return crypto.sr25519Verify(signature, message, publicKey);
  if (scheme === 'ed25519') return crypto.ed25519Verify(signature, message, publicKey);
  return crypto.ecdsaVerify(signature, crypto.blake2b256(message), publicKey, { strict: true });
};

/** `tabnode key sign`: the signature of a message by a secret URI's key. */
export const keySign = keyCommand('sign', async ({ values, positionals }, output, io) => {
  refuseArguments('sign', positionals, ': pass --suri and --message');
  const type = parseType(values.scheme);
  const message = await readBytes('The message', values, io);
  const printed = (bytes: Uint8Array): void => {
    const signature = bytesToHex(bytes);
    output.line(values.json === true ? JSON.stringify({ signature }) : signature);
  };
  const account = await readAccountText(values.suri);
  if (account !== null) return printed(signMessage(await openOne(account, values, io), message));
  const { full } = await readSecret(values.suri, values, io);
  if (type === 'ethereum') return printed(signMessage(await pairOfUri(full, type), message));
  const crypto = await loadCrypto();
  const pair = await findPair(crypto, type, full);
  if (pair === null) throw new NodeError('BadKey', 'Invalid phrase/URI given');
  printed(sign(crypto, pair, message));
});

/** The public key of an address, of hexadecimal digits or of a secret URI. */
const readVerifier = async (crypto: Crypto, scheme: Scheme, uri: string): Promise<Uint8Array> => {
  if (/^(0x)?[0-9a-f]+$/i.test(uri)) return readPublicHex(scheme, uri);
  const found = readAddress(crypto, scheme, uri) ?? (await findPair(crypto, scheme, uri));
  if (found === null) throw new NodeError('BadKey', 'Invalid phrase/URI given');
  return found.publicKey;
};

/** The Ethereum address of an address, of a public key in hexadecimal, of a private key or of a phrase with its path. */
const readEthereum = async (uri: string): Promise<Uint8Array> => {
  const digits = /^(?:0x)?([0-9a-f]{40}|[0-9a-f]{66})$/i.test(uri) ? toHexBytes('The address', uri) : null;
  if (digits === null) return accountIdOf(await pairOfUri(uri, 'ethereum'));
  if (digits.length === 20) return digits;
  try {
    return accountIdOf({ type: 'ethereum', publicKey: digits });
  } catch (cause) {
    throw new NodeError('BadKey', 'The public key is no point of secp256k1', { cause });
  }
};

/** Verifies with the key that `uri` names. */
const isSigned = async (
  type: KeyType,
  uri: string,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> => {
  if (type === 'ethereum') return verifyEthereum(signature, message, await readEthereum(uri));
  const crypto = await loadCrypto();
  return verify(crypto, type, await readVerifier(crypto, type, uri), signature, message);
};

/** `tabnode key verify`. Throws `BadSignature` if the signature is not by the key over the message. */
export const keyVerify = keyCommand('verify', async ({ values, positionals }, output, io) => {
  const [given, uri, ...rest] = positionals;
  if (given === undefined || rest.length > 0) throw bad('key verify takes a SIGNATURE and a URI');
  const type = parseType(values.scheme);
  const signature = toHexBytes('The signature', given);
  const message = await readBytes('The message', values, io);
  const key = await readUri(uri, io);
  const length = type === 'ecdsa' || type === 'ethereum' ? 65 : 64;
  if (signature.length !== length)
    throw new NodeError('BadSignature', `A signature of ${type} has ${length} bytes`);
  if (!(await isSigned(type, key, signature, message))) throw new NodeError('BadSignature');
  output.line(values.json === true ? JSON.stringify({ verified: true }) : 'Signature verifies correctly.');
});
