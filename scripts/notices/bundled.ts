import { appendFileSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

export type Bundled = { readonly name: string; readonly version: string; readonly folder: string };

/** The folder of the package that a module belongs to; null for this repository's own. */
const folderOf = (id: string): string | null => {
  const path = id.replaceAll('\\', '/').replace(/^\0/, '');
  // Helpers that the tools add themselves.
  const [, tool] = /^(vite|rolldown)\//.exec(path) ?? [];
  if (tool !== undefined) return `node_modules/${tool}`;
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null;
};

const readPackage = (folder: string): Bundled => {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Bundled;
  return { name, version, folder };
};

/**
 * Appends the packages whose code is in a build to the file that TABNODE_BUNDLED names, one a line as JSON, for the
 * notices and their test.
 */
export const withBundledList: Plugin = {
  name: 'tabnode:bundled-list',
  apply: 'build',
  generateBundle: (_options, bundle) => {
    const list = process.env['TABNODE_BUNDLED'];
    if (list === undefined) return;
    const folders = new Set<string>();
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      for (const [id, { renderedLength }] of Object.entries(file.modules)) {
        const folder = renderedLength > 0 ? folderOf(id) : null;
        if (folder !== null) folders.add(folder);
      }
    }
    for (const folder of folders) appendFileSync(list, `${JSON.stringify(readPackage(folder))}\n`);
  },
};

/** The packages of such a file, each once, by name. */
export const readBundled = (list: string): readonly Bundled[] => {
  const all = new Map<string, Bundled>();
  for (const line of readFileSync(list, 'utf8').split('\n').filter(Boolean)) {
    const one = JSON.parse(line) as Bundled;
    all.set(`${one.name} ${one.version}`, one);
  }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
};
