import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What source files may import of `node:fs`: it reads, or removes and renames what exists. */
const readers = new Set([
  'access',
  'closeSync',
  'constants',
  'createReadStream',
  'existsSync',
  'FileHandle',
  'fstatSync',
  'fsyncSync',
  'openSync',
  'readdir',
  'readFile',
  'readFileSync',
  'readSync',
  'realpath',
  'rename',
  'renameSync',
  'rm',
  'rmdir',
  'rmSync',
  'stat',
  'writeSync',
]);

/** The names by which a source text writes files without the one module that decides their modes. */
const writersIn = (text: string): string[] => {
  const names = [
    ...text.matchAll(/import (?:type )?(?:\{([^}]*)\}|([^;{]*?)) from 'node:fs(?:\/promises)?'/g),
  ].flatMap(([, list, whole]) => (list ?? whole ?? '').split(','));
  const imported = names.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '');
  const opens = [...text.matchAll(/\bopenSync\([^)]*, '(?!r'\))[^)]*\)/g)].map(([call]) => call);
  // SQLite creates its file with the usual mode unless the file is there.
  const databases = [...text.matchAll(/(.*)\n.*new DatabaseSync\(/g)]
    .filter(([, before]) => !before?.includes('prepareDatabaseFile('))
    .map(() => 'DatabaseSync');
  return [...imported.filter((name) => !readers.has(name)), ...opens, ...databases];
};

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/\.(test|fixture|d)\.ts$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

it.each(['bridge', 'worker', 'src'])('%s writes files only through one module', (folder) => {
  const others = sources(folder).filter((path) => path !== 'worker/db/files.ts');
  expect(others.length).toBeGreaterThan(20);
  const found = others
    .map((path) => [path, writersIn(readFileSync(join(root, path), 'utf8'))] as const)
    .filter(([, names]) => names.length > 0);
  expect(Object.fromEntries(found)).toEqual({});
});

it.each([
  ["import { writeFile } from 'node:fs/promises';", 'writeFile'],
  ["import { readFile, mkdir } from 'node:fs/promises';", 'mkdir'],
  ["import * as fs from 'node:fs';", '* as fs'],
  ["const file = openSync(path, 'w');", "openSync(path, 'w')"],
  ['try {\n  file = new DatabaseSync(path);', 'DatabaseSync'],
])('finds %s', (text, name) => {
  expect(writersIn(text)).toEqual([name]);
});
