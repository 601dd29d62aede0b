// Svelte for the page, for less code: classes that scope a component's style are short, in the order of the files, in place of
// a hash; elements are written as lists, which pack better than text to be parsed. Each is built once, then cloned.
import { readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';

/** @param {string} folder where the components lie */
export const smallSvelte = (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.svelte'))
    .sort();
  return svelte({
    compilerOptions: {
      fragments: 'tree',
      cssHash: ({ filename, hash, css }) => {
        const index = files.findIndex((file) => filename.endsWith(`ui/${file}`));
        return index < 0 ? `s-${hash(css)}` : `s-${index.toString(36)}`;
      },
    },
  });
};
