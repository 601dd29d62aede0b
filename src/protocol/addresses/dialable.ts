import { type AddressPart, parseAddress } from './multiaddr.ts';

/** How an address is reached. */
export type Dialable =
  | { readonly kind: 'ws'; readonly url: string; readonly peer: string | null }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number; readonly peer: string | null };

const hosts: readonly string[] = ['ip4', 'ip6', 'dns', 'dns4', 'dns6'];

/** The forms that native nodes give: `ws`, `wss` or `tls/ws` after TCP, or nothing. */
const schemeOf = (parts: readonly AddressPart[]): 'ws' | 'wss' | 'tcp' | null => {
  const names = parts.map(([name]) => name).join('/');
  const known = {
    '': 'tcp',
    ws: 'ws',
    wss: 'wss',
    'tls/ws': 'wss',
    'x-parity-ws': 'ws',
    'x-parity-wss': 'wss',
  } as const;
  return Object.hasOwn(known, names) ? known[names as keyof typeof known] : null;
};

/** Null for an address that is none, or needs a transport that this node does not have. */
export const toDialable = (address: string): Dialable | null => {
  const parts = parseAddress(address);
  const [host, tcp, ...rest] = parts ?? [];
  if (host === undefined || tcp === undefined || !hosts.includes(host[0]) || tcp[0] !== 'tcp') return null;
  const last = rest.at(-1);
  const peer = last?.[0] === 'p2p' || last?.[0] === 'ipfs' ? last[1] : null;
  const scheme = schemeOf(peer === null ? rest : rest.slice(0, -1));
  const [name, port] = [host[1] as string, Number(tcp[1])];
  if (scheme === null || port === 0) return null;
  if (scheme === 'tcp') return { kind: 'tcp', host: name, port, peer };
  return { kind: 'ws', url: `${scheme}://${host[0] === 'ip6' ? `[${name}]` : name}:${port}/`, peer };
};
