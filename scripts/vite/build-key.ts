import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tool output, tests, and the crates, of which the page only uses the compiled files. */
const apart =
  /^(node_modules|dist|target|test-results|playwright-report|coverage|reports|crates|\..*)$|\.(test|spec)\.ts$/;

/**
 * Hash of the names and contents of all files that a build may read, and of its settings: two builds with the same key are
 * the same.
 */
export const buildKey = (folder = root): string => {
  const hash = createHash('sha256');
  const add = (inside: string): void => {
    const entries = readdirSync(inside, { withFileTypes: true }).filter(({ name }) => !apart.test(name));
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(inside, entry.name);
      if (entry.isDirectory()) add(path);
      else if (entry.isFile())
        hash
          .update(`${relative(folder, path)}\0`)
          .update(createHash('sha256').update(readFileSync(path)).digest());
    }
  };
  add(folder);
  // The page of a package names other commands than that of a clone.
  hash.update(process.env['VITE_PACKAGED'] ?? '');
  return hash.digest('hex');
};

const keyFile = (outDir: string): string => `${outDir}.key`;

/** Whether a folder holds the build of the files with this key. */
export const isBuilt = (outDir: string, key: string): boolean =>
  existsSync(outDir) && existsSync(keyFile(outDir)) && readFileSync(keyFile(outDir), 'utf8') === key;

export const writeKey = (outDir: string, key: string): void => writeFileSync(keyFile(outDir), key);

/** Records next to a build what it was built from. Files that change in the meantime get another key. */
export const withBuildKey = (): Plugin => {
  let outDir = '';
  let key = '';
  return {
    name: 'tabnode:build-key',
    apply: 'build',
    configResolved: ({ root: from, build }) => {
      outDir = resolve(from, build.outDir);
    },
    buildStart: () => {
      rmSync(keyFile(outDir), { force: true });
      key = buildKey();
    },
    writeBundle: () => writeKey(outDir, key),
  };
};
