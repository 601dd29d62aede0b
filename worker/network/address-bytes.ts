import { type AddressPart, parseAddress } from '../../src/protocol/addresses/multiaddr.ts';
import { concatBytes, noBytes, textToBytes } from '../bytes/bytes.ts';
import { encodeVarint } from './transport/framing.ts';

/** The protocols of addresses at which a node can be dialled (https://github.com/multiformats/multiaddr, protocols.csv). */
const codes: Readonly<Record<string, number>> = {
  ip4: 4,
  tcp: 6,
  ip6: 41,
  dns: 53,
  dns4: 54,
  dns6: 55,
  tls: 448,
  ws: 477,
  'x-parity-ws': 477,
  wss: 478,
  'x-parity-wss': 478,
};

/** Of an address in full or with `::`. */
const ip6Bytes = (text: string): Uint8Array => {
  // Of the forms with a dotted end, the URL parser makes hexadecimal ones.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return Uint8Array.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]));
};

const valueBytes = (protocol: string, value: string): Uint8Array => {
  if (protocol === 'ip4') return Uint8Array.from(value.split('.'), Number);
  if (protocol === 'ip6') return ip6Bytes(value);
  if (protocol === 'tcp') return Uint8Array.of(Number(value) >> 8, Number(value) & 255);
  const text = textToBytes(value);
  return concatBytes(encodeVarint(text.length), text);
};

const encodePart = ([protocol, value]: AddressPart): Uint8Array | null => {
  const code = Object.hasOwn(codes, protocol) ? codes[protocol] : undefined;
  if (code === undefined) return null;
  // Older forms give the path of a WebSocket as a value, which the code of today does not have.
  const bytes =
    value === null || code === codes['ws'] || code === codes['wss'] ? noBytes : valueBytes(protocol, value);
  return concatBytes(encodeVarint(code), bytes);
};

const isPeer = ([protocol]: AddressPart): boolean => protocol === 'p2p' || protocol === 'ipfs';

/** A multiaddr as bytes, without a peer id at its end; null for one that cannot be dialled by WebSocket or TCP. */
export const encodeAddress = (text: string): Uint8Array | null => {
  const parts = parseAddress(text) ?? [];
  const last = parts.at(-1);
  const encoded = (last !== undefined && isPeer(last) ? parts.slice(0, -1) : parts).map(encodePart);
  const found = encoded.filter((bytes) => bytes !== null);
  return found.length === 0 || found.length < encoded.length ? null : concatBytes(...found);
};

/** Those of the addresses that can be dialled. */
export const encodeAddresses = (addresses: Iterable<string>): Uint8Array[] =>
  [...addresses].map(encodeAddress).filter((address) => address !== null);
