// What the built page loads before first paint, and what its panels load later, gzipped, compared with the
// design's budgets. Fails if either is over budget, or if files import one another in a cycle: the bundler
// joins small ones, and something that a file of a cycle needs during evaluation may not exist yet.
//   node scripts/page-size.mjs [FOLDER]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './bootstrap.mjs';
import { isLibrary } from './libraries.mjs';

const shellBudget = 70_000;
/** An alarm rather than a budget: what counts is each panel with what only it uses, at most 60 kB. */
const lazyBudget = 260_000;
/** Loaded only in browsers with WebMCP. */
const agentsBudget = 16_000;
/** Loaded only in a page that was paired with a bridge. */
const bridgeBudget = 6_000;
/** Loaded only if the URL names a node, in place of a worker. */
const remoteBudget = 6_000;
/** Loaded only to watch Alice and Bob; no panel needs it. */
const pairBudget = 6_000;
const folder = process.argv[2] ?? join(root, 'dist', 'app');
/** The page without the list of files that are loaded once it is idle. */
const page = readFileSync(join(folder, 'index.html'), 'utf8').replace(/<template.*<\/template>/s, '');
const shell = new Set([...page.matchAll(/assets\/([^"]+\.(?:js|css))/g)].map(([, name]) => name));
const code = readdirSync(join(folder, 'assets')).filter(
  (name) => /\.(js|css)$/.test(name) && !name.startsWith('worker-'),
);
const sizeOf = (names) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length, 0);
const text = (bytes, budget) => `${(bytes / 1000).toFixed(1)} kB of ${budget / 1000} kB`;

const isShell = (name) => shell.has(name);
const isForAgents = (name) => /^(web-mcp|Agents)-/.test(name);
const isForBridge = (name) => /^BridgePill-/.test(name);
const isForRemote = (name) => /^Remote-/.test(name);
const isForPair = (name) => /^PairPage-/.test(name);
const isApart = [isShell, isLibrary, isForAgents, isForBridge, isForRemote, isForPair];
const isLater = (name) => !isApart.some((is) => is(name));
const sizes = [
  ['page shell', sizeOf(code.filter(isShell)), shellBudget],
  ['loaded later', sizeOf(code.filter(isLater)), lazyBudget],
  ['tools for agents', sizeOf(code.filter(isForAgents)), agentsBudget],
  ['page of a node elsewhere', sizeOf(code.filter(isForRemote)), remoteBudget],
  ['page behind a bridge', sizeOf(code.filter(isForBridge)), bridgeBudget],
  ['Alice and Bob', sizeOf(code.filter(isForPair)), pairBudget],
];
for (const name of code.filter(isLibrary))
  console.log(`library ${name}: ${(sizeOf([name]) / 1000).toFixed(1)} kB`);
for (const [name, size, budget] of sizes) console.log(`${name}: ${text(size, budget)}`);
if (sizes.some(([, size, budget]) => size > budget)) process.exitCode = 1;

const importsOf = (name) =>
  [
    ...readFileSync(join(folder, 'assets', name), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g),
  ].map(([, imported]) => imported);
const done = new Set();
/** The files of a cycle that starts below `path`; null if there is none. */
const findCircle = (path) => {
  const name = path.at(-1);
  if (path.indexOf(name) < path.length - 1) return path;
  if (done.has(name)) return null;
  done.add(name);
  for (const imported of importsOf(name)) {
    const found = findCircle([...path, imported]);
    if (found !== null) return found;
  }
  return null;
};
for (const name of readdirSync(join(folder, 'assets')).filter((file) => file.endsWith('.js'))) {
  const circle = findCircle([name]);
  if (circle === null) continue;
  console.log(`files that import one another: ${circle.join(' > ')}`);
  process.exitCode = 1;
}
