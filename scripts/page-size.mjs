// What the built page downloads, compared with its budgets: before the first paint, for each panel with what only it uses,
// and for the worker. Fails above a budget, if files import one another in a cycle (something that a file of a cycle
// needs during its evaluation may not exist yet), or if the node's script waits for a file besides the worker's entry. Warns about every part that is more than 2 % larger than in sizes.json.
//   node scripts/page-size.mjs [--update] [FOLDER]     --update writes sizes.json
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root } from './bootstrap.mjs';
import { isLibrary } from './libraries.mjs';

/** In bytes as served. Other parts have no budget. */
const budgets = {
  'before the first paint': 70_000,
  worker: 300_000,
  'forks of live chains': 25_000,
  network: 60_000,
};
const panelBudget = 60_000;
const warnAbove = 1.02;

const isUpdate = process.argv.includes('--update');
const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? join(root, 'dist', 'app');
const sizesFile = join(root, 'scripts', 'sizes.json');
const assets = readdirSync(join(folder, 'assets')).filter((name) => !name.endsWith('.map'));
const manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));

/** A host compresses with either, and both are in use: the larger counts. */
const sizeOf = (name) => {
  const bytes = readFileSync(join(folder, 'assets', name));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  return Math.max(gzipSync(bytes).length, brotliCompressSync(bytes, quality).length);
};
const sumOf = (names) => [...names].reduce((sum, name) => sum + sizeOf(name), 0);

/** Adds the files that the chunk with this key of the manifest loads at once, or also those that it loads later. */
const reach = (key, isLater, files = new Set(), seen = new Set()) => {
  if (seen.has(key)) return files;
  seen.add(key);
  const { file, css = [], imports = [], dynamicImports = [] } = manifest[key];
  for (const name of [file, ...css]) {
    const asset = name.replace('assets/', '');
    if (/\.(js|css)$/.test(asset) && !isLibrary(asset)) files.add(asset);
  }
  for (const next of [...imports, ...(isLater ? dynamicImports : [])]) reach(next, isLater, files, seen);
  return files;
};

const entry = 'index.html';
const atStart = reach(entry, false);
const later = manifest[entry].dynamicImports;
/** The client and the Chain panel's first view, which every panel has. */
const firstKey = later.find((key) => manifest[key].name === 'first');
const first = reach(firstKey, false).difference(atStart);
/** Each part that the shell loads later, with all files that it leads to besides those of the first view. */
const branches = new Map(
  later.map((key) => [
    manifest[key].name,
    reach(key, true, new Set(), new Set([entry, firstKey].filter((other) => other !== key))).difference(
      first,
    ),
  ]),
);
const onlyIn = (name) =>
  [...branches]
    .filter(([other]) => other !== name)
    .reduce((files, [, theirs]) => files.difference(theirs), branches.get(name));
const panels = ['first', 'storage', 'rpc', 'live', 'send', 'runtime', 'node'];
const labelOf = (name) => `panel ${name === 'first' ? 'chain' : name}`;
const own = new Map(panels.map((name) => [labelOf(name), onlyIn(name)]));

const shell = readFileSync(join(folder, 'index.html'), 'utf8').matchAll(/assets\/([^"]+\.(?:js|css))/g);
const shellFiles = new Set([...shell].map(([, name]) => name));
const scripts = assets.filter((name) => /\.(js|css)$/.test(name));
const isVoter = (name) => /^(worker-voter|grandpa)-/.test(name);
/** Only forks of live chains load it. */
const isFork = (name) => /^worker-fork-(?!late-)/.test(name);
const isForkLate = (name) => /^worker-fork-late-/.test(name);
/** Only connections to other nodes load it. */
const isNetwork = (name) => /^worker-network-/.test(name);
/** Loaded with the first block of many signatures. */
const isSignatures = (name) => /^(worker-)?signature/.test(name);
/** Only chains that are given as a chain specification load it. */
const isSpec = (name) => /^worker-spec-/.test(name);
/** Other workers than the node's: the relay of a bridge and the keys of the page. */
const isOtherWorker = (name) => /^worker-(relay|key)-worker-/.test(name);
/** Only walks over whole states load it. */
const isScan = (name) => /^worker-scans-/.test(name);
const isWorker = (name) =>
  /^(worker-.*\.js|crypto-core-.*\.wasm)$/.test(name) &&
  ![isVoter, isFork, isForkLate, isNetwork, isSignatures, isSpec, isScan, isOtherWorker, isLibrary].some(
    (is) => is(name),
  );
const counted = new Set([...shellFiles, ...first, ...[...own.values()].flatMap((files) => [...files])]);
const rest = scripts.filter((name) => !counted.has(name) && !name.startsWith('worker-') && !isLibrary(name));

const sizes = Object.fromEntries([
  ['before the first paint', sumOf(shellFiles)],
  ['first view', sumOf(first)],
  ...[...own].map(([name, files]) => [name, sumOf(files)]),
  ['shared by panels', sumOf(rest)],
  ['worker', sumOf(assets.filter(isWorker))],
  ['forks of live chains', sumOf(assets.filter(isFork))],
  ['forks, what few calls need', sumOf(assets.filter(isForkLate))],
  ['network', sumOf(assets.filter(isNetwork))],
  ['chain specifications', sumOf(assets.filter(isSpec))],
  ['relay of a bridge, and keys', sumOf(assets.filter(isOtherWorker))],
  ['walks over states', sumOf(assets.filter(isScan))],
  ['GRANDPA voter', sumOf(assets.filter(isVoter))],
  ['batched signatures', sumOf(assets.filter(isSignatures))],
  ...assets
    .filter(isLibrary)
    .map((name) => [`library ${name.replace('worker-', '').split('-')[0]}`, sizeOf(name)]),
]);

const before = JSON.parse(readFileSync(sizesFile, 'utf8'));
for (const [name, size] of Object.entries(sizes)) {
  const budget = budgets[name] ?? (name.startsWith('panel ') ? panelBudget : Infinity);
  const isOver = size > budget;
  if (isOver) process.exitCode = 1;
  const of = budget === Infinity ? '' : ` of ${budget / 1000} kB`;
  console.log(`${name}: ${(size / 1000).toFixed(1)} kB${of}${isOver ? ': above its budget' : ''}`);
  if (isUpdate || size <= (before[name] ?? 0) * warnAbove) continue;
  const grown = `was ${((before[name] ?? 0) / 1000).toFixed(1)} kB and is ${(size / 1000).toFixed(1)} kB`;
  console.log(`warning: ${name} ${grown}. If it is worth it: node scripts/page-size.mjs --update`);
}
if (isUpdate) writeFileSync(sizesFile, `${JSON.stringify(sizes, null, 2)}\n`);

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
for (const name of assets.filter((file) => file.endsWith('.js'))) {
  const circle = findCircle([name]);
  if (circle === null) continue;
  console.log(`files that import one another: ${circle.join(' > ')}`);
  process.exitCode = 1;
}

// A script's static imports are requested only once it was compiled, which takes long for the chain's.
const entryOfWorker = assets.find((name) => name.startsWith('worker-main-'));
const loadedByEntry =
  entryOfWorker === undefined
    ? []
    : readFileSync(join(folder, 'assets', entryOfWorker), 'utf8').matchAll(/import\(.\.\/([^)]+\.js)/g);
for (const [, name] of loadedByEntry) {
  const extra = importsOf(name).filter((imported) => imported !== entryOfWorker);
  if (extra.length === 0) continue;
  console.log(`${name}, which a start waits for, imports another file: ${extra.join(', ')}`);
  process.exitCode = 1;
}
