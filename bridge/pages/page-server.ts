import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeError } from '../../src/protocol/errors.ts';
import { parseCors } from '../cli/rpc-settings.ts';
import { admitPage, targetOf } from '../server/access.ts';
import { createListener } from '../server/listener.ts';

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

/** A fork has no more endpoints (worker/origin). */
const maxNodes = 16;

const ownSources = "'self' ws://127.0.0.1:* http://127.0.0.1:* ws://localhost:* http://localhost:*";

/** The script of the node, whose connections to other nodes go wherever their addresses point. */
const nodeScript = /^\/(.*\/)?assets\/worker-main-[^/]+\.js$/;

/**
 * Restricts the page: it may compile Wasm and reach its own origin and nodes on this machine; no
 * inline scripts. `query` is that of the page's own URL: it may also reach the node that `rpc` names
 * (docs/decisions/0035) and those of a live chain that `fork` names (docs/decisions/0072). The node's own script may open
 * any WebSocket (docs/decisions/0108). `path` is that of the requested file.
 */
export const pageHeaders = (query: URLSearchParams, path = '/'): Readonly<Record<string, string>> => {
  const any = nodeScript.test(path) ? ['ws:', 'wss:'] : [];
  const named = [...query.getAll('rpc').slice(0, 1), ...query.getAll('fork').slice(0, maxNodes)];
  const nodes = new Set(named.flatMap((address) => sourceOf(address) ?? []));
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "worker-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src ${[ownSources, ...nodes, ...any].join(' ')}`,
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
};

/** Serves the devtools to browsers on this machine. */
export type PageServer = {
  /** Resolves to the page's URL; rejects with `BadConfig` if the port cannot be opened. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  close(): Promise<void>;
};

const isSource = import.meta.url.endsWith('.ts');
/** The built page, and the runtimes, which the package contains only once. */
const pageFolders = (isSource ? ['../../dist/app/', '../../public/'] : ['../app/', '../../public/']).map(
  (path) => fileURLToPath(new URL(path, import.meta.url)),
);

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Host names of this machine. Requests with another Host (DNS rebinding) are refused. */
const localPages = parseCors(undefined);

/** The served files by path. The list is fixed, so the path of a request never reaches the file system. */
type Files = ReadonlyMap<string, string>;

const listFiles = async (folders: readonly string[]): Promise<Files> => {
  const files = new Map<string, string>();
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = join(entry.parentPath, entry.name);
      const path = `/${file.slice(folder.length).replaceAll('\\', '/')}`;
      if (entry.isFile() && !files.has(path)) files.set(path, file);
    }
  }
  return files;
};

const refuse = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
};

/** The names of files in `assets/` contain a content hash. */
const cachingOf = (path: string): string =>
  path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';

const answer = async (files: Files, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const page = admitPage(request, localPages);
  if (typeof page !== 'string') return refuse(response, page.status, page.text);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'The page can only be read.\n');
  }
  const { path, query } = targetOf(request);
  const name = path === '/' ? '/index.html' : path;
  const file = files.get(name);
  if (file === undefined) return refuse(response, 404, 'There is no such file.\n');
  const bytes = await readFile(file);
  response.writeHead(200, {
    ...pageHeaders(query, name),
    'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
    'content-length': bytes.length,
    'cache-control': cachingOf(name),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
};

/**
 * A server for the built page, with the headers of `npm start`. Rejects with `BadConfig` if the page has not
 * been built. Tests pass other folders.
 */
export const createPageServer = async (folders: readonly string[] = pageFolders): Promise<PageServer> => {
  const files = await listFiles(folders);
  if (!files.has('/index.html'))
    throw new NodeError(
      'BadConfig',
      isSource
        ? 'The page is not built: run npm run build -- app'
        : 'This package has no page: install tabnode again',
    );
  const listener = createListener(
    createServer((request, response) => {
      request.on('error', () => response.destroy());
      response.on('error', () => response.destroy());
      answer(files, request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else refuse(response, 500, 'The file could not be read.\n');
      });
    }),
  );
  return {
    listen: async (address) => `http://${await listener.listen(address)}/`,
    close: listener.close,
  };
};
