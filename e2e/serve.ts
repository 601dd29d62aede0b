// Builds the three pages of the end-to-end tests and the site of the documents in parallel, unless they are built of the same files, and serves them until it
// is stopped. Playwright starts it. If one is running already, the tests use it and build nothing. With --build-only it ends
// once they are built.
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createPageServer } from '../bridge/pages/page-server.ts';
import { buildKey, isBuilt, writeKey } from '../scripts/vite/build-key.ts';
import { e2ePorts, e2eUrl, siteBase } from './ports.ts';

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
const run = (...args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`node ${args.join(' ')} ended with code ${code}`));
    });
  });

const build = ({ mode, outDir }: Page): Promise<void> => {
  const options = [...(mode ? ['--mode', mode] : []), ...(outDir ? ['--outDir', outDir] : [])];
  return run(vite, 'build', '--logLevel', 'error', ...options);
};

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

/** The site as on a host that has it in a folder, with the devtools. e2e/site.spec.ts serves it. */
const provideSite = async (): Promise<void> => {
  const folder = dist('e2e-site');
  // The key of a build leaves out hidden folders.
  const siteKey = key + readFileSync(new URL('../docs/.vitepress/config.ts', import.meta.url), 'utf8');
  if (isBuilt(folder, siteKey)) return;
  const docs = fileURLToPath(new URL('../scripts/docs.ts', import.meta.url));
  await run(docs, 'site', '--base', siteBase, '--out', folder);
  writeKey(folder, siteKey);
};

await Promise.all([...pages.map(provide), provideSite()]);
const appInSite = `${dist('e2e-site')}/app`;
rmSync(appInSite, { recursive: true, force: true });
cpSync(dist('e2e-app'), appInSite, { recursive: true });
if (process.argv.includes('--build-only')) process.exit();
for (const { port, built } of pages) {
  const server = await createPageServer([`${dist(built)}/`]);
  await server.listen({ host: '127.0.0.1', port });
}
// Who starts it waits for this line: where the pages are.
process.stdout.write(`${JSON.stringify({ pages: e2eUrl('pages'), app: e2eUrl('app') })}\n`);
