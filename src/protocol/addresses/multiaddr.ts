import { NodeError } from '../errors.ts';
import { isPeerId } from './peer-id.ts';

/**
 * The kind of value that follows a protocol name (https://github.com/multiformats/multiaddr, protocols.csv).
 */
type ValueKind = 'ip4' | 'ip6' | 'none' | 'peer' | 'text' | 'u16' | 'u64';

const kinds: Readonly<Record<string, ValueKind>> = {
  certhash: 'text',
  dccp: 'u16',
  dns: 'text',
  dns4: 'text',
  dns6: 'text',
  dnsaddr: 'text',
  http: 'none',
  https: 'none',
  ip4: 'ip4',
  ip6: 'ip6',
  ip6zone: 'text',
  ipfs: 'peer',
  memory: 'u64',
  noise: 'none',
  onion: 'text',
  onion3: 'text',
  p2p: 'peer',
  'p2p-circuit': 'none',
  plaintextv2: 'text',
  quic: 'none',
  'quic-v1': 'none',
  sctp: 'u16',
  sni: 'text',
  tcp: 'u16',
  tls: 'none',
  udp: 'u16',
  udt: 'none',
  unix: 'text',
  utp: 'none',
  webrtc: 'none',
  'webrtc-direct': 'none',
  webtransport: 'none',
  ws: 'none',
  wss: 'none',
  'x-parity-ws': 'text',
  'x-parity-wss': 'text',
};

const longestAddress = 1024;

const isNumber = (text: string, max: bigint): boolean => /^\+?\d+$/.test(text) && BigInt(text) <= max;

const isIp4 = (text: string): boolean => {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
};

const isIp6 = (text: string): boolean =>
  /^[\da-fA-F:.]*:[\da-fA-F:.]*$/.test(text) && URL.canParse(`http://[${text}]`);

const accepts: Readonly<Record<Exclude<ValueKind, 'none'>, (text: string) => boolean>> = {
  text: () => true,
  u16: (text) => isNumber(text, 0xffffn),
  u64: (text) => isNumber(text, 0xffff_ffff_ffff_ffffn),
  ip4: isIp4,
  ip6: isIp6,
  peer: isPeerId,
};

/** A protocol of an address, and its value; null if it has none. */
export type AddressPart = readonly [protocol: string, value: string | null];

/** The parts of a multiaddr; null if the text is none. */
export const parseAddress = (text: string): readonly AddressPart[] | null => {
  const parts = text.split('/');
  if (text.length > longestAddress || parts[0] !== '' || parts.length < 2) return null;
  const found: AddressPart[] = [];
  for (let at = 1; at < parts.length; at++) {
    const name = parts[at] as string;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) return null;
    const value = kind === 'none' ? null : parts[++at];
    if (value === undefined || (kind !== 'none' && value !== null && !accepts[kind](value))) return null;
    found.push([name, value]);
  }
  return found;
};

/** The peer id of an address; null if there is none at its end, or if it is not an address. */
const findPeer = (text: string): string | null => {
  const [name, value] = parseAddress(text)?.at(-1) ?? ['', null];
  return kinds[name] === 'peer' ? value : null;
};

/**
 * The base58 peer id at the end of a multiaddr. Validates the whole address, and accepts what the SDK does
 * (sc-network-types, multiaddr.rs). Throws `BadConfig`.
 */
export const peerOfAddress = (text: string): string => {
  const peer = findPeer(text);
  if (peer === null)
    throw new NodeError(
      'BadConfig',
      'Not an address that ends in /p2p/ and a peer id, such as /ip4/127.0.0.1/tcp/30333/p2p/12D3…',
    );
  return peer;
};

/** Throws `BadConfig` unless the text is a multiaddr, with or without a peer id. */
export const checkAddress = (text: string): void => {
  if (parseAddress(text) === null)
    throw new NodeError('BadConfig', 'Not an address such as /dns/node.example/tcp/443/wss');
};
