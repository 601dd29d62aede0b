import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';

const mostFiles = 24;
/** Code that runs in production or builds it: without tests, what only tests use, and declarations of types. */
const isProduction = (path: string): boolean =>
  /\.(ts|mts|mjs|js|svelte|css|rs)$/.test(path) && !/\.(test|spec|fixture)\.|\.d\.m?ts$/.test(basename(path));

/** Folders with more production files than a reader can survey. */
const findLarge = (paths: readonly string[]): string[] =>
  [...Map.groupBy(paths.filter(isProduction), dirname)]
    .filter(([, files]) => files.length > mostFiles)
    .map(([folder, files]) => `${folder}: ${files.length}`);

it('no folder has more than 24 production files', () => {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const paths = execFileSync('git', list, { encoding: 'utf8' }).split('\n');
  expect(paths.filter(isProduction).length).toBeGreaterThan(1000);
  expect(findLarge(paths)).toEqual([]);
});

it('finds a folder with one file too many', () => {
  const files = Array.from({ length: mostFiles + 1 }, (_, index) => `worker/chain/${index}.ts`);
  expect(findLarge(files)).toEqual(['worker/chain: 25']);
  expect(findLarge([...files.slice(1), 'worker/chain/a.test.ts', 'worker/chain/import/a.ts'])).toEqual([]);
});
