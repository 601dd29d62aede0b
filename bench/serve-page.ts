import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** With these headers, a page is told how much memory it uses. */
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Builds the bench page and serves it. */
export const servePage = async ({
  isIsolated = false,
  folder = 'bench-page',
}: {
  readonly isIsolated?: boolean;
  /** In `dist`. Whoever runs for a long time has a folder of its own, because another benchmark empties the usual one. */
  readonly folder?: string;
} = {}) => {
  const common = {
    configFile: false,
    root: path('./page'),
    publicDir: path('../public'),
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: path(`../dist/${folder}`),
      emptyOutDir: true,
      target: 'es2024',
      assetsInlineLimit: 0,
    },
  } as const;
  await build(common);
  const server = await preview({
    ...common,
    preview: { host: '127.0.0.1', port: 0, headers: isIsolated ? isolation : {} },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
};
