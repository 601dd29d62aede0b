/** A host that a Content-Security-Policy can name; anything else could end its directive. */
const namedHost = /^[a-z0-9.-]+(:\d{1,5})?$/;

/**
 * What `connect-src` needs for one node, from its address; null for what is no WebSocket address. By a plain
 * request the page finds out whether a node that refuses its WebSocket is there.
 */
const sourceOf = (address: string): string | null => {
  if (!URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  if (protocol !== 'ws:' && protocol !== 'wss:') return null;
  // Policies have no form for IPv6 addresses: all of the scheme are allowed then.
  if (namedHost.test(host)) return `${protocol}//${host} ${protocol === 'ws:' ? 'http' : 'https'}://${host}`;
  return host.startsWith('[') ? protocol : null;
};

const ownSources = "'self' ws://127.0.0.1:* http://127.0.0.1:* ws://localhost:* http://localhost:*";

/**
 * What the page may do (DESIGN §7): compile Wasm, reach its own origin and nodes of this machine; nothing
 * inline. `rpc` is the address of another node that it may reach too: the one that its own URL names in
 * `?rpc=` (docs/decisions/0035).
 */
export const pageHeaders = (rpc: string | null): Readonly<Record<string, string>> => {
  const node = rpc === null ? null : sourceOf(rpc);
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "worker-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${ownSources}${node === null ? '' : ` ${node}`}`,
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
};
