import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright';
import { launchOptions } from '../../scripts/chromium.mjs';
import { serveFiles } from '../rigs/static-files.ts';
import { openExtension } from './extension-page.ts';
import { followDappChapter } from './guide-project.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
/** The project of the dApp chapter, beside the folders. */
const guide = 'guide';
const apps = [
  guide,
  ...readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
];

const help = `Usage: npm run test:apps -- [--tarball FILE] [APP]…

Packs the package (or takes FILE), installs it into each app of this folder, builds the app with its own tool, and opens it in
Chromium, where it has to seal a block. "guide" follows the dApp chapter of the guide, with its tests. Needs the package registry. Apps: ${apps.join(', ')}.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tarball: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});

/** Without the settings inherited from `npm run`, which are about this repository. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS|NODE_ENV$)/i.test(name)),
);
const runNpm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', args, {
    cwd,
    env: { ...env, NEXT_TELEMETRY_DISABLED: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });

const pack = (into: string): string =>
  join(into, runNpm(root, 'pack', '--silent', '--pack-destination', into).trim().split('\n').at(-1) ?? '');

/** The installed and built app. */
const build = (name: string, place: string, tarball: string): string => {
  for (const shared of ['index.html', 'node-in-a-page.js']) cpSync(join(here, shared), join(place, shared));
  // Some have a page of their own.
  cpSync(join(here, name), place, { recursive: true });
  runNpm(place, 'install', '--no-audit', '--no-fund', tarball);
  runNpm(place, 'run', 'build');
  return join(place, 'dist');
};

/** What the page shows once it has sealed a block, or failed. */
const readPage = async (page: Page, url: string): Promise<string> => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('requestfailed', (request) => errors.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(url);
  const end = page.getByText(/^(Sealed|Failed): /);
  try {
    await end.waitFor({ timeout: 30_000 });
  } catch {
    throw new Error(`nothing was sealed\n${errors.join('\n')}`);
  }
  const lines = await page.getByText(/^[A-Z][a-z ]+: /).allInnerTexts();
  return [...lines, ...errors].join('\n');
};

const openOnHost = async (folder: string): Promise<string> => {
  const server = await serveFiles(() => folder);
  const browser = await chromium.launch(await launchOptions());
  try {
    return await readPage(await browser.newPage(), `http://127.0.0.1:${server.port}/`);
  } finally {
    await browser.close();
    await server.close();
  }
};

const openAsExtension = async (folder: string, profile: string): Promise<string> => {
  const { context, url } = await openExtension(folder, profile);
  try {
    return await readPage(await context.newPage(), url);
  } finally {
    await context.close();
  }
};

const expected = /^Chain: Development\nBest block: 0x0\nSealed: 0x1 on 0x[0-9a-f]{64}$/;

const runApp = async (name: string, work: string, tarball: string): Promise<void> => {
  if (name === guide) return followDappChapter(join(work, guide), tarball, env);
  const folder = build(name, join(work, name), tarball);
  const shown =
    name === 'extension' ? await openAsExtension(folder, join(work, 'profile')) : await openOnHost(folder);
  if (!expected.test(shown)) throw new Error(shown);
};

const runAll = async (names: readonly string[], given: string | undefined): Promise<void> => {
  const work = mkdtempSync(join(tmpdir(), 'tabnode-apps-'));
  let failed = 0;
  try {
    const tarball = given === undefined ? pack(work) : resolve(given);
    for (const name of names) {
      const from = performance.now();
      const fault = await runApp(name, work, tarball).then(
        () => null,
        (error: unknown) => error as Error & { readonly stdout?: string; readonly stderr?: string },
      );
      const seconds = ((performance.now() - from) / 1000).toFixed(1);
      process.stdout.write(`${fault === null ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
      if (fault === null) continue;
      failed += 1;
      process.stdout.write(`${fault.message}\n${fault.stdout ?? ''}\n${fault.stderr ?? ''}\n`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  process.stdout.write(`${names.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
};

const unknown = positionals.find((name) => !apps.includes(name));
if (values.help === true) process.stdout.write(`${help}\n`);
else if (unknown !== undefined) {
  process.stderr.write(`There is no app "${unknown}"\n${help}\n`);
  process.exitCode = 2;
} else await runAll(positionals.length > 0 ? positionals : apps, values.tarball);
