// Builds the three pages of the end-to-end tests in parallel, unless they are built of the same files, and serves them until it
// is stopped. Playwright starts it. If one is running already, the tests use it and build nothing. With --build-only it ends
// once they are built.
import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createPageServer } from '../bridge/pages/page-server.ts';
import { buildKey, isBuilt, writeKey } from '../scripts/vite/build-key.ts';
import { e2ePorts, e2eUrl } from './ports.ts';

type Page = {
  readonly port: number;
  readonly built: string;
  readonly mode?: string;
  readonly outDir?: string;
};

/**
 * Playwright waits for the app, so it comes last. It is built in the mode of `npm start`, but to another
 * folder.
 */
const pages: readonly Page[] = [
  { port: e2ePorts.pages, built: 'e2e', mode: 'e2e' },
  { port: e2ePorts.dapp, built: 'dapp', mode: 'e2e-dapp' },
  { port: e2ePorts.app, built: 'e2e-app', outDir: '../dist/e2e-app' },
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

const dist = (name: string): string => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
const key = buildKey();

/** The check of the page's size has built the app already. */
const copyApp = (to: string): void => {
  rmSync(to, { recursive: true, force: true });
  cpSync(dist('app'), to, { recursive: true });
  writeKey(to, key);
};

const provide = async (page: Page): Promise<void> => {
  const folder = dist(page.built);
  if (isBuilt(folder, key)) return;
  if (page.built === 'e2e-app' && isBuilt(dist('app'), key)) copyApp(folder);
  else await build(page);
};

await Promise.all(pages.map(provide));
if (process.argv.includes('--build-only')) process.exit();
for (const { port, built } of pages) {
  const server = await createPageServer([`${dist(built)}/`]);
  await server.listen({ host: '127.0.0.1', port });
}
// Who starts it waits for this line: where the pages are.
process.stdout.write(`${JSON.stringify({ pages: e2eUrl('pages'), app: e2eUrl('app') })}\n`);
