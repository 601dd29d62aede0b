// Builds the three pages of the end-to-end tests in parallel and serves them until it is stopped. Playwright
// starts it. If one is running already, the tests use it and build nothing.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { e2ePorts } from './ports.ts';

type Page = { readonly port: number; readonly mode?: string; readonly outDir?: string };

/**
 * Playwright waits for the app, so it comes last. It is built in the mode of `npm start`, but to another
 * folder.
 */
const pages: readonly Page[] = [
  { port: e2ePorts.pages, mode: 'e2e' },
  { port: e2ePorts.dapp, mode: 'e2e-dapp' },
  { port: e2ePorts.app, outDir: '../dist/e2e-app' },
];

const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));

/** In a separate process: the plugins of one build block all others in the same process. */
const build = ({ mode, outDir }: Page): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = [...(mode ? ['--mode', mode] : []), ...(outDir ? ['--outDir', outDir] : [])];
    const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error', ...options], {
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`vite build ${options.join(' ')} ended with code ${code}`));
    });
  });

await Promise.all(pages.map(build));
for (const { port, mode, outDir } of pages)
  await preview({
    ...(mode ? { mode } : {}),
    ...(outDir ? { build: { outDir } } : {}),
    preview: { host: '127.0.0.1', port, strictPort: true },
  });
