import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

type Headers = Readonly<Record<string, string>>;

type Settings = {
  /** Where the folder is on the host; `/a/b/`. */
  readonly path?: string;
  /** Of every file, or by the path of a request. */
  readonly headers?: Headers | ((path: string) => Headers);
  /** Key and certificate, for https. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Default: a free one. */
  readonly port?: number;
};

export type FileServer = { readonly port: number; close(): Promise<void> };

/** Serves the files of a folder on 127.0.0.1 as a plain static host does: a folder's index, and 404 for what is not there. */
export const serveFiles = async (
  folder: () => string,
  { path = '/', headers = {}, tls, port = 0 }: Settings = {},
): Promise<FileServer> => {
  const headersOf = typeof headers === 'function' ? headers : () => headers;
  const answer: RequestListener = async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    try {
      if (!name.startsWith(path)) throw new Error('elsewhere');
      const bytes = await readFile(join(folder(), name.slice(path.length)));
      const type = types[extname(name)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...headersOf(pathname) }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  };
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
