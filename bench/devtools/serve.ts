import { fileURLToPath } from 'node:url';
import { build, mergeConfig, preview, type UserConfig } from 'vite';
import config from '../../vite.config.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export type Server = { readonly url: string; close(): Promise<void> };

const serve = async (options: UserConfig): Promise<Server> => {
  const quiet = { ...options, configFile: false, logLevel: 'error' } as const;
  await build(quiet);
  const server = await preview(mergeConfig(quiet, { preview: { host: '127.0.0.1', port: 0 } }));
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
};

const configOf = (mode: string): UserConfig => config({ mode, command: 'build' });

/** The page as shipped, with its content security policy. */
export const serveApp = (): Promise<Server> =>
  serve(mergeConfig(configOf('app'), { build: { outDir: path('../../dist/bench-app') } }));

/** A separate page that opens and closes the devtools next to its node: `devtools.html`. */
export const serveEmbedded = (): Promise<Server> => {
  const { build: options, ...rest } = configOf('e2e');
  return serve({
    ...rest,
    root: path('../page'),
    build: {
      ...options,
      outDir: path('../../dist/bench-devtools'),
      rolldownOptions: { input: [path('../page/devtools.html')] },
    },
  });
};
