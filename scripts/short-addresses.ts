import type { Plugin } from 'vite';

/** With a relative base, Vite has each import say which file it is in, from which style sheets are found. */
const importers = /((?:__vite__mapDeps\(\[[\d,]*\]\)|\[\]|void 0)),import\.meta\.url\)/g;
/** The helper that resolves them; below, it resolves what it gets from its own file, which is in the same folder as all. */
const resolving = /(\w)=\(\((\w),(\w)\)=>new URL\(\2,\3\)\.href\)\(\1,\w\);/;
const twice = /new URL\(new URL\("([^"]+)",import\.meta\.url\)\.href,""\+import\.meta\.url\)/g;

const shorten = (code: string): string =>
  code.replace(importers, '$1)').replace(resolving, '').replace(twice, 'new URL("$1",import.meta.url)');

/** Leaves out of the minified page what relative addresses cost it: 16 bytes an import. All scripts are in one folder. */
export const withShortAddresses: Plugin = {
  name: 'tabnode:short-addresses',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const helpers = chunks.filter(({ code }) => resolving.test(code));
      if (helpers.length !== 1) throw new Error('the bundler has changed the form of its preload helper');
      for (const chunk of chunks) chunk.code = shorten(chunk.code);
    },
  },
};
