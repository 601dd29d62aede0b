import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, expect, it } from 'vitest';
import { docOf } from '../src/protocol/rpc/docs/docs.ts';
import { rpcTable } from '../src/protocol/rpc/index.ts';

// In the repository, so that packages left out of the bundle are found.
const outDir = fileURLToPath(new URL('../dist/test-node', import.meta.url));
const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
const libDir = fileURLToPath(new URL('../dist/test-lib', import.meta.url));
afterAll(() => {
  for (const dir of [outDir, libDir]) rmSync(dir, { recursive: true, force: true });
});

const atOnce = /^import\s[^;]*?["']\.\/([^"']+\.js)["']/gm;
const inTime = /(?:^import\s[^;]*?|\bimport\()["'`]\.\/([^"'`]+\.js)["'`]/gm;

/** The text of an entry and of all its static imports, or of its dynamic ones too. */
const codeOf = (dir: string, file: string, imports = atOnce, seen = new Set<string>()): string => {
  if (seen.has(file)) return '';
  seen.add(file);
  const code = readFileSync(`${dir}/${file}`, 'utf8');
  const imported = [...code.matchAll(imports)].map(([, name]) => name ?? '');
  return [code, ...imported.map((name) => codeOf(dir, name, imports, seen))].join('\n');
};

/** Expects the names of all methods without their docs. */
const expectMethods = (code: string): void => {
  for (const name of Object.keys(rpcTable)) {
    expect(code).toContain(name);
    expect(code).not.toContain(docOf(name).doc);
  }
};

/**
 * One string each of repair, storage by name, and the method table, which is loaded while the chain opens.
 */
const lateParts = ['the state of no block is whole', '$removePrefix', 'chainHead_v1_storage'];

it('builds a command that runs from any folder, with all the files it needs next to it', async () => {
  for (const mode of ['node-threads', 'node-command'])
    await build({ configFile, mode, logLevel: 'error', build: { outDir } });
  expect(readdirSync(outDir)).toEqual(
    expect.arrayContaining([
      'crypto-core.wasm',
      'signature-batch.wasm',
      'grandpa.wasm',
      'main-node.js',
      'serve-thread.js',
      'tabnode.js',
    ]),
  );
  // A thread would compile unused code at each start.
  const thread = codeOf(outDir, 'main-node.js');
  for (const part of lateParts) expect(thread).not.toContain(part);
  const whole = codeOf(outDir, 'main-node.js', inTime);
  for (const part of lateParts) expect(whole).toContain(part);
  expectMethods(whole);
  const args = ['serve', '--json', '--dev', '--seal=manual', '--ws-port=0', '--rpc-port=0'];
  const child = spawn(process.execPath, [`${outDir}/tabnode.js`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
  expect(JSON.parse(line)).toMatchObject({ event: 'ready', bestNumber: 0 });
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
}, 120_000);

it('builds a library without devtools, and devtools without a separate style file', async () => {
  await build({ configFile, mode: 'lib', logLevel: 'error', build: { outDir: libDir } });
  expect(codeOf(libDir, 'devtools.js')).toContain('adoptedStyleSheets');
  expect(codeOf(libDir, 'index.js')).toContain('startNode');
  for (const entry of ['index.js', 'polkadot-js.js', 'papi.js'])
    expect(/svelte|adoptedStyleSheets/.test(codeOf(libDir, entry)), entry).toBe(false);
  const assets = readdirSync(`${libDir}/assets`);
  expect(assets.filter((name) => name.endsWith('.css'))).toEqual([]);
  // With `light-dark()` lowered for older browsers, the colors would follow the system's theme instead of the
  // chosen one.
  expect(codeOf(libDir, 'devtools.js')).toContain('light-dark(');
  for (const file of readdirSync(libDir).filter((name) => name.endsWith('.js')))
    expect(readFileSync(`${libDir}/${file}`, 'utf8'), file).not.toContain('--lightningcss');
  const worker = assets.find((name) => name.startsWith('worker-main-')) ?? '';
  expectMethods(codeOf(`${libDir}/assets`, worker, inTime));
  // The entry imports no other script, and the chain imports neither the methods nor repair.
  expect(codeOf(`${libDir}/assets`, worker)).toBe(readFileSync(`${libDir}/assets/${worker}`, 'utf8'));
  const chain = assets.find((name) => name.startsWith('worker-chain-')) ?? '';
  for (const part of lateParts) expect(codeOf(`${libDir}/assets`, chain)).not.toContain(part);
}, 120_000);
