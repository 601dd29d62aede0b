import type { Plugin } from 'vite';

/**
 * With a relative base, Vite makes each import say which file it is in, so that style sheets can be found
 * from there.
 */
const importers = /((?:__vite__mapDeps\(\[[\d,]*\]\)|\[\]|void 0)),import\.meta\.url\)/g;
/**
 * The helper that resolves them. The replacement below resolves names from its own file, which is in the same
 * folder as all the others.
 */
const resolving = /(\w)=\(\((\w),(\w)\)=>new URL\(\2,\3\)\.href\)\(\1,\w\);/;
const twice = /new URL\(new URL\("([^"]+)",import\.meta\.url\)\.href,""\+import\.meta\.url\)/g;

const shorten = (code: string): string =>
  code.replace(importers, '$1)').replace(resolving, '').replace(twice, 'new URL("$1",import.meta.url)');

/** Removes what relative URLs cost the minified page: 16 bytes per import. All scripts are in one folder. */
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
