/** A host that is valid in a Content-Security-Policy. Anything else could end the directive. */
const namedHost = /^[a-z0-9.-]+(:\d{1,5})?$/;

/**
 * The `connect-src` sources for one node; null if the address is not a WebSocket URL. The HTTP source allows
 * the page to probe whether a node that refuses its WebSocket exists.
 */
const sourceOf = (address: string): string | null => {
  if (!URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  if (protocol !== 'ws:' && protocol !== 'wss:') return null;
  // CSP has no syntax for IPv6 addresses, so all hosts of the scheme are allowed.
  if (namedHost.test(host)) return `${protocol}//${host} ${protocol === 'ws:' ? 'http' : 'https'}://${host}`;
  return host.startsWith('[') ? protocol : null;
};

const ownSources = "'self' ws://127.0.0.1:* http://127.0.0.1:* ws://localhost:* http://localhost:*";

/**
 * Restricts the page: it may compile Wasm and reach its own origin and nodes on this machine; no
 * inline scripts. `rpc` is one further node address that it may reach, named by `?rpc=` in the page's own URL
 * (docs/decisions/0035).
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
