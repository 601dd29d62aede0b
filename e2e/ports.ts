import { createServer } from 'node:net';

/**
 * Ports for the tests only, so that a running `npm start` is not affected. Set another first port if two
 * checkouts run tests at the same time.
 */
const first = Number(process.env['TABNODE_E2E_PORT'] ?? 5195);

export const e2ePorts = { dapp: first, pages: first + 1, app: first + 2 } as const;

export const e2eUrl = (name: keyof typeof e2ePorts): string => `http://127.0.0.1:${e2ePorts[name]}/`;

/** Where the site of the documents is on its host. */
export const siteBase = '/tabnode/';

/** A port that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
