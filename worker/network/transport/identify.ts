import { bytesToText, textToBytes } from '../../bytes/bytes.ts';
import type { Connection, ConnectOptions, Served } from './connection.ts';
import { encodePublicKey } from './noise/identity.ts';
import { decodeFields, encodeFields } from './protobuf.ts';

/** How two nodes tell each other what they are (libp2p specs, "identify"). */
const identifyName = '/ipfs/id/1.0.0';
const protocolVersion = '/substrate/1.0';
/** Native nodes read no more. */
const maxSentBytes = 4096;
const maxReceivedBytes = 16 * 1024;
const maxAgentLength = 256;
const timeoutMs = 10_000;
/** js-libp2p loses what arrives together with the end of a stream; others read until the end. */
const openMs = 1000;

/** Addresses are multiaddresses in binary form. */
export type PeerInfo = {
  readonly agent: string;
  /** What may be opened there. */
  readonly protocols: readonly string[];
  readonly addresses: readonly Uint8Array[];
  /** Where the other side sees the one that asks. */
  readonly observed: Uint8Array | null;
};

/** Leaves out what does not fit, from the end. */
const encodeInfo = (publicKey: Uint8Array, info: PeerInfo): Uint8Array => {
  const fields: (readonly [number, Uint8Array])[] = [
    [1, encodePublicKey(publicKey)],
    [5, textToBytes(protocolVersion)],
    [6, textToBytes(info.agent)],
    ...info.protocols.map((name) => [3, textToBytes(name)] as const),
    ...(info.observed === null ? [] : [[4, info.observed] as const]),
    ...info.addresses.map((address) => [2, address] as const),
  ];
  for (;;) {
    const bytes = encodeFields(...fields);
    if (bytes.length <= maxSentBytes || fields.length === 0) return bytes;
    fields.pop();
  }
};

const readText = (bytes: Uint8Array): string => {
  try {
    return bytesToText(bytes);
  } catch {
    return '';
  }
};

const decodeInfo = (bytes: Uint8Array): PeerInfo => {
  const fields = decodeFields(bytes);
  return {
    agent: readText(fields.bytes(6)).slice(0, maxAgentLength),
    protocols: fields
      .all(3)
      .map(readText)
      .filter((name) => name !== ''),
    addresses: fields.all(2).map((address) => address.slice()),
    observed: fields.has(4) ? fields.bytes(4).slice() : null,
  };
};

/** Answers a node that asks. smoldot sends an empty message first, which is ignored. */
export const serveIdentify = (
  publicKey: Uint8Array,
  describe: (connection: Connection) => PeerInfo,
  schedule: ConnectOptions['schedule'],
): Served => ({
  names: [identifyName],
  maxMessageBytes: maxSentBytes,
  priority: 'announce',
  isLasting: false,
  accept: (stream, connection) => {
    stream.send(encodeInfo(publicKey, describe(connection)));
    const cancel = schedule(openMs, stream.close);
    return {
      message: () => undefined,
      end: () => {
        cancel();
        stream.close();
      },
    };
  },
});

/** Asks the other side. Rejects with `PeerFailed`, or `ProtocolError` if the response is malformed. */
export const identify = async (connection: Connection): Promise<PeerInfo> =>
  decodeInfo(await connection.request([identifyName], null, { maxBytes: maxReceivedBytes, timeoutMs }));
