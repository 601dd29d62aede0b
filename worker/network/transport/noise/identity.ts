import { concatBytes, equalBytes, startsWithBytes, textToBytes } from '../../../bytes/bytes.ts';
import { peerIdEncode } from '../../../crypto/peer-id.ts';
import type { ConnectOptions } from '../connection.ts';
import { decodeFields, encodeFields } from '../protobuf.ts';
import { ProtocolError } from '../protocol-error.ts';

/** How a peer proves its id inside the Noise handshake (libp2p specs, "noise"). */
const signedPrefix = textToBytes('noise-libp2p-static-key:');
/** Protobuf of an ed25519 key: type 1, then 32 bytes. */
const keyPrefix: Uint8Array = /* @__PURE__ */ Uint8Array.of(8, 1, 18, 32);
const keyBytes = 32;
const signatureBytes = 64;

export const encodePublicKey = (publicKey: Uint8Array): Uint8Array => concatBytes(keyPrefix, publicKey);

const decodePublicKey = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length !== keyPrefix.length + keyBytes || !startsWithBytes(bytes, keyPrefix))
    throw new ProtocolError('The key of the other node is not an ed25519 key');
  return bytes.slice(keyPrefix.length);
};

type Signing = Pick<ConnectOptions, 'key' | 'verify' | 'expectedId'>;

/** The payload of the handshake: the node's key, and its signature of the static key of this connection. */
export const signIdentity = ({ key }: Signing, staticKey: Uint8Array): Uint8Array =>
  encodeFields([1, encodePublicKey(key.publicKey)], [2, key.sign(concatBytes(signedPrefix, staticKey))]);

export type Identity = { readonly remoteKey: Uint8Array; readonly remoteId: string };

/** The other side's key, which it has proven. Throws `ProtocolError` also if it is not the expected peer. */
export const verifyIdentity = (
  { key, verify, expectedId }: Signing,
  payload: Uint8Array,
  staticKey: Uint8Array,
): Identity => {
  const fields = decodeFields(payload);
  const remoteKey = decodePublicKey(fields.bytes(1));
  const signature = fields.bytes(2);
  const isSigned =
    signature.length === signatureBytes && verify(signature, concatBytes(signedPrefix, staticKey), remoteKey);
  if (!isSigned) throw new ProtocolError('The other node has not signed its key');
  if (equalBytes(remoteKey, key.publicKey)) throw new ProtocolError('The other node is this node itself');
  const remoteId = peerIdEncode(remoteKey);
  if (expectedId !== undefined && remoteId !== expectedId)
    throw new ProtocolError(`The node at this address is ${remoteId}, not ${expectedId}`);
  return { remoteKey, remoteId };
};
