// Installs what a fresh clone lacks. Plain JavaScript for Node.js 20; everything else runs on the local
// Node.js 24.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './chromium.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => join(root, ...parts);

/**
 * The environment in which every tool runs: the local Node.js 24 and the local tools come first. The processes that tests start
 * share what Node.js has compiled, because otherwise it strips the types of the same hundred files in each of them again.
 */
export const toolEnvironment = () => ({
  NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'compile'),
  ...process.env,
  PATH: [inRoot('node_modules', '.bin'), inRoot('node_modules', 'node', 'bin'), process.env.PATH].join(
    delimiter,
  ),
});

/**
 * Runs a program in the repository's root and returns its exit code: 1 if it was killed, 0 if it was aborted.
 */
export const run = (command, args, options = {}) =>
  new Promise((resolve) => {
    // On Windows the tools are .cmd files, which only a shell can start.
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: toolEnvironment(),
      shell: process.platform === 'win32',
      ...options,
    });
    child.on('error', (error) => {
      if (error.name === 'AbortError') return; // aborted on purpose; 'close' follows
      console.error(`${command}: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(options.signal?.aborted ? 0 : (code ?? 1)));
  });

const mustRun = async (command, args) => {
  const code = await run(command, args, { env: process.env });
  if (code !== 0) {
    console.error(`\`${command} ${args.join(' ')}\` ended with code ${code}`);
    process.exit(code);
  }
};

/**
 * npm writes node_modules/.package-lock.json last, so its time shows whether the tree is complete and up to
 * date.
 */
const modulesAreCurrent = () => {
  const mark = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(mark) || !existsSync(inRoot('node_modules', 'node', 'bin'))) return false;
  return statSync(mark).mtimeMs >= statSync(inRoot('package-lock.json')).mtimeMs;
};

const installModules = async () => {
  if (modulesAreCurrent()) return;
  console.log('Installing node_modules (npm ci) …');
  // Packages that need a newer Node.js than npm's run on the local one: npm warns of them in 25 lines.
  await mustRun('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
};

const isRoot = () => typeof process.getuid === 'function' && process.getuid() === 0;
const hasApt = () => process.platform === 'linux' && spawnSync('apt-get', ['--version']).status === 0;

const installChromium = async () => {
  if (await findChromium()) return;
  console.log('No Chromium found: trying the download of Playwright …');
  await run('playwright', ['install', 'chromium']);
  if (await findChromium()) return;
  if (isRoot() && hasApt()) {
    console.log("Trying Debian's package …");
    await run('apt-get', ['update', '-q'], { env: process.env });
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], {
      env: process.env,
    });
    if (await findChromium()) return;
  }
  console.error(
    'There is no Chromium and none could be installed. Install one, or name it in TABNODE_CHROMIUM.',
  );
  process.exit(1);
};

/** Installs what is missing, in this order, because finding the browser needs the packages. */
export const bootstrap = async ({ chromium }) => {
  await installModules();
  if (chromium) await installChromium();
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bootstrap({ chromium: process.argv.includes('--chromium') });
}
