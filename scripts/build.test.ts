import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, expect, it } from 'vitest';
import type { Entry } from '../src/protocol/rpc/define.ts';
import { rpcTable } from '../src/protocol/rpc/index.ts';

// In the repository, so that packages left out of the bundle are found.
const outDir = fileURLToPath(new URL('../dist/test-node', import.meta.url));
const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
const libDir = fileURLToPath(new URL('../dist/test-lib', import.meta.url));
afterAll(() => {
  for (const dir of [outDir, libDir]) rmSync(dir, { recursive: true, force: true });
});

/** The text of an entry and of all its static imports. */
const codeOf = (dir: string, file: string, seen = new Set<string>()): string => {
  if (seen.has(file)) return '';
  seen.add(file);
  const code = readFileSync(`${dir}/${file}`, 'utf8');
  const imported = [...code.matchAll(/^import\s[^;]*?["']\.\/([^"']+\.js)["']/gm)].map(
    ([, name]) => name ?? '',
  );
  return [code, ...imported.map((name) => codeOf(dir, name, seen))].join('\n');
};

it('the command built into any folder has all it needs beside it, and runs', async () => {
  for (const mode of ['node-threads', 'node-command'])
    await build({ configFile, mode, logLevel: 'error', build: { outDir } });
  expect(readdirSync(outDir)).toEqual(
    expect.arrayContaining(['crypto-core.wasm', 'main-node.js', 'serve-thread.js', 'tabnode.js']),
  );
  // A thread would compile unused code at each start.
  const thread = codeOf(outDir, 'main-node.js');
  for (const [name, { doc }] of Object.entries<Entry>(rpcTable)) {
    expect(thread).toContain(name);
    expect(thread).not.toContain(doc);
  }
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

it('the library has nothing of the devtools, which bring their styles without a file', async () => {
  await build({ configFile, mode: 'lib', logLevel: 'error', build: { outDir: libDir } });
  expect(codeOf(libDir, 'devtools.js')).toContain('adoptedStyleSheets');
  expect(codeOf(libDir, 'index.js')).toContain('startNode');
  for (const entry of ['index.js', 'polkadot-js.js', 'papi.js'])
    expect(/svelte|adoptedStyleSheets/.test(codeOf(libDir, entry)), entry).toBe(false);
  const assets = readdirSync(`${libDir}/assets`);
  expect(assets.filter((name) => name.endsWith('.css'))).toEqual([]);
  // Lowered for older browsers, the colors would follow the system's theme instead of the chosen one.
  expect(codeOf(libDir, 'devtools.js')).toContain('light-dark(');
  for (const file of readdirSync(libDir).filter((name) => name.endsWith('.js')))
    expect(readFileSync(`${libDir}/${file}`, 'utf8'), file).not.toContain('--lightningcss');
  // The worker executes the methods but does not document them.
  const worker = assets.find((name) => name.startsWith('worker-')) ?? '';
  const code = readFileSync(`${libDir}/assets/${worker}`, 'utf8');
  for (const [name, { doc }] of Object.entries<Entry>(rpcTable)) {
    expect(code).toContain(name);
    expect(code).not.toContain(doc);
  }
}, 120_000);
