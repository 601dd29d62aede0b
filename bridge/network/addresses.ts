import { networkInterfaces } from 'node:os';
import { parseAddress } from '../../src/protocol/addresses/multiaddr.ts';
import { NodeError } from '../../src/protocol/errors.ts';

/** Where to listen for other nodes. */
export type ListenForm = {
  readonly kind: 'tcp' | 'ws';
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
};

/** `/ip4/…/tcp/N` or `/ip6/…/tcp/N`, for WebSockets with `/ws`. Throws `BadConfig`. */
export const parseListenAddress = (text: string): ListenForm => {
  const [host, tcp, ...rest] = parseAddress(text) ?? [];
  const isTcp = (host?.[0] === 'ip4' || host?.[0] === 'ip6') && tcp?.[0] === 'tcp';
  const names = rest.map(([name]) => name).join('/');
  if (isTcp && (names === '' || names === 'ws'))
    return { kind: names === '' ? 'tcp' : 'ws', host: host[1] as string, port: Number(tcp[1]) };
  throw new NodeError(
    'BadConfig',
    `--listen-addr ${text}: expected /ip4/ADDRESS/tcp/PORT or /ip6/ADDRESS/tcp/PORT, with /ws for WebSockets`,
  );
};

/** The addresses of this machine that an unspecified one stands for. */
const hostsOf = (host: string): readonly string[] => {
  const family = host === '0.0.0.0' ? 'IPv4' : host === '::' ? 'IPv6' : null;
  if (family === null) return [host];
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  // An address of a link is none without the name of its interface.
  return all
    .filter((one) => one.family === family && !one.address.startsWith('fe80:'))
    .map(({ address }) => address);
};

/** The multiaddrs under which others reach what listens. */
export const addressesOf = ({ kind, host }: ListenForm, port: number): string[] =>
  hostsOf(host).map(
    (one) => `/${one.includes(':') ? 'ip6' : 'ip4'}/${one}/tcp/${port}${kind === 'ws' ? '/ws' : ''}`,
  );
