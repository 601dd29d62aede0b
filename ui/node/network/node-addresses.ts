import { toDialable } from '../../../src/protocol/addresses/dialable.ts';
import { parseAddress } from '../../../src/protocol/addresses/multiaddr.ts';
import { NodeError } from '../../../src/protocol/errors.ts';

/** Where the page is from, which decides what it may dial. */
export type PagePlace = Pick<Location, 'protocol'>;

const loopback = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

const urlOf = (address: string): URL | null => {
  const dialable = toDialable(address);
  return dialable?.kind === 'ws' ? new URL(dialable.url) : null;
};

const isLocal = (url: URL): boolean => loopback.test(url.hostname);

/** Whether a page can dial it: browsers open WebSockets only, and https pages unencrypted ones on this computer only. */
export const isForPages = (address: string, { protocol }: PagePlace): boolean => {
  const url = urlOf(address);
  return url !== null && (url.protocol === 'wss:' || protocol !== 'https:' || isLocal(url));
};

/** Whether it leads to the computer of the page. */
export const isOfThisComputer = (address: string): boolean => {
  const url = urlOf(address);
  return url !== null && isLocal(url);
};

const bad = (text: string): NodeError => new NodeError('BadConfig', text);

const clip = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

const sample = '/dns/node.example/tcp/443/wss/p2p/12D3KooW…';

/** The addresses in a text, separated by spaces, commas or lines. Throws `BadConfig` if one is not an address of a node. */
export const readNodeAddresses = (text: string): readonly string[] => {
  const typed = [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))];
  for (const one of typed) {
    const parts = parseAddress(one);
    if (parts === null)
      throw bad(`“${clip(one)}” is not the address of a node. Write one such as ${sample}.`);
    if (parts.at(-1)?.[0] !== 'p2p' && parts.at(-1)?.[0] !== 'ipfs')
      throw bad(`“${clip(one)}” does not say which node it is of. Add /p2p/ and the id of the node.`);
  }
  return typed;
};

/** Those that a page can dial. Throws `BadConfig` if there are only others. */
export const pickForPages = (addresses: readonly string[], page: PagePlace = location): readonly string[] => {
  const picked = addresses.filter((one) => isForPages(one, page));
  if (picked.length > 0 || addresses.length === 0) return picked;
  throw bad(
    addresses.some((one) => urlOf(one) !== null)
      ? 'An https page can only dial addresses with /wss, and those of this computer. Ask for one of these.'
      : 'A browser can only dial WebSockets, and none of these addresses has /ws or /wss. Start the node with a --listen-addr that ends in /ws.',
  );
};

const anyHost = /^\/(ip4\/0\.0\.0\.0|ip6\/(::|0:0:0:0:0:0:0:0))\//;

const hostPart = (host: string): string => {
  if (host.startsWith('[')) return `/ip6/${host.slice(1, -1)}/`;
  return /^\d+(\.\d+){3}$/.test(host) ? `/ip4/${host}/` : `/dns/${host}/`;
};

/**
 * The addresses on which a node listens, as a page dials them that reaches its JSON-RPC at the URL. One of all interfaces is that
 * of the URL. Those of this computer come first; if the node is on another one, they are left out, unless there are no others.
 */
export const listenAddressesFor = (listened: readonly string[], rpcUrl: string): readonly string[] => {
  const rpc = new URL(rpcUrl);
  const named = new Set(listened.map((one) => one.replace(anyHost, hostPart(rpc.hostname))));
  const { near = [], far = [] } = Object.groupBy(named, (one) => (isOfThisComputer(one) ? 'near' : 'far'));
  return isLocal(rpc) || far.length === 0 ? [...near, ...far] : far;
};
