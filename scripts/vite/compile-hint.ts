import type { Plugin } from 'vite';

/** The shell, and what the first view needs besides. */
const first = /(^|\/)(index|first)-[^/]+\.js$/;

/** A source map whose lines are one further down. */
const shiftLines = (source: string): string => {
  const map = JSON.parse(source) as { readonly mappings: string };
  return JSON.stringify({ ...map, mappings: `;${map.mappings}` });
};

/**
 * Asks V8 to compile all functions of the first view while it downloads them, in another thread, because nearly all of
 * them run at once: otherwise the page compiles them one by one as it draws (a quarter to a third of its script time; Chromium from 136
 * on, a comment elsewhere).
 */
export const withCompileHint: Plugin = {
  name: 'tabnode:compile-hint',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !first.test(chunk.fileName)) continue;
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        const map = bundle[`${chunk.fileName}.map`];
        if (map?.type === 'asset') map.source = shiftLines(String(map.source));
      }
    },
  },
};
