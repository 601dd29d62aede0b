import type { Plugin, Rolldown } from 'vite';
import { isLibrary } from './libraries.mjs';

type Bundle = Rolldown.OutputBundle;

/** Files that the page itself names, libraries, or what only browsers with WebMCP, a bridge or a remote node load. */
const isElsewhere = (file: string, page: string): boolean =>
  page.includes(file) || isLibrary(file) || /assets\/(worker|web-mcp|Agents|BridgePill|Remote)-/.test(file);

/** Every other script and style sheet, each after those it imports, because sheets apply in this order. */
const laterFiles = (bundle: Bundle, page: string): readonly string[] => {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || seen.has(name)) return;
    seen.add(name);
    for (const imported of chunk.imports) add(imported);
    for (const file of [...(chunk.viteMetadata?.importedCss ?? []), name])
      if (!isElsewhere(file, page)) files.add(file);
  };
  for (const name of Object.keys(bundle)) add(name);
  return [...files];
};

const linkTo = (file: string): string =>
  `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="./${file}">`;

/** Lists the files that the page loads later in a template, which ui/app/shell/load-ahead.ts reads. */
export const withLoadAhead: Plugin = {
  name: 'tabnode:load-ahead',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('no page to list its files in');
      const source = String(page.source);
      const links = laterFiles(bundle, source).map(linkTo).join('');
      page.source = source.replace('</body>', `  <template id="tabnode-later">${links}</template>\n  $&`);
    },
  },
};
