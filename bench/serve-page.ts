import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Builds the bench page and serves it. */
export const servePage = async () => {
  const common = {
    configFile: false,
    root: path('./page'),
    publicDir: path('../public'),
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: path('../dist/bench-page'),
      emptyOutDir: true,
      target: 'es2024',
      assetsInlineLimit: 0,
    },
  } as const;
  await build(common);
  const server = await preview({ ...common, preview: { host: '127.0.0.1', port: 0 } });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
};
