import { NodeError } from '../../src/protocol/errors.ts';
import { peerIdCheck } from '../crypto/peer-id.ts';

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

/** The SDK's messages (sc-network-types, multiaddr.rs); code `BadConfig`. */
const bad = (why: string): NodeError => new NodeError('BadConfig', why);
const unparsable = (why: string): NodeError => bad(`multiaddr parsing error: ${why}`);

const checkNumber = (text: string, max: bigint): void => {
  if (text === '') throw unparsable('cannot parse integer from empty string');
  if (!/^\+?\d+$/.test(text)) throw unparsable('invalid digit found in string');
  if (BigInt(text) > max) throw unparsable('number too large to fit in target type');
};

const isIp4 = (text: string): boolean => {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
};

const isIp6 = (text: string): boolean =>
  /^[\da-fA-F:.]*:[\da-fA-F:.]*$/.test(text) && URL.canParse(`http://[${text}]`);

const checkers: Readonly<Record<ValueKind, (text: string) => void>> = {
  none: () => undefined,
  text: () => undefined,
  u16: (text) => checkNumber(text, 0xffffn),
  u64: (text) => checkNumber(text, 0xffff_ffff_ffff_ffffn),
  ip4: (text) => {
    if (!isIp4(text)) throw unparsable('invalid IPv4 address syntax');
  },
  ip6: (text) => {
    if (!isIp6(text)) throw unparsable('invalid IPv6 address syntax');
  },
  peer: (text) => {
    try {
      peerIdCheck(text);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      const { fault } = error.details;
      if (fault === 'base58') throw unparsable('Invalid base string');
      throw unparsable(typeof fault === 'number' ? `unsupported multihash code '${fault}'` : error.message);
    }
  },
};

/** The base58 peer id at the end of a multiaddr. Validates the whole address. Throws `BadConfig`. */
export const peerOfAddress = (text: string): string => {
  const parts = text.split('/');
  if (text.length > longestAddress || parts[0] !== '') throw bad('invalid multiaddress');
  let peer: string | null = null;
  for (let at = 1; at < parts.length; at++) {
    const name = parts[at] as string;
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) throw bad(`unknown protocol '${name}'`);
    peer = null;
    if (kind === 'none') continue;
    const value = parts[++at];
    if (value === undefined) throw bad('invalid protocol string');
    checkers[kind](value);
    if (kind === 'peer') peer = value;
  }
  if (peer === null) throw bad('Peer id is missing from the address');
  return peer;
};
