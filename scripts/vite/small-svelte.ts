import { readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';

/**
 * Svelte with smaller output. The class that scopes a component's styles is a number instead of a hash, because hashes do
 * not compress. Templates are compiled to arrays, which compress better than HTML.
 */
export const smallSvelte = (folder: string): ReturnType<typeof svelte> => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.svelte'))
    .sort();
  return svelte({
    compilerOptions: {
      runes: true,
      fragments: 'tree',
      cssHash: ({ filename, hash, css }) => {
        const index = files.findIndex((file) => filename.endsWith(`ui/${file}`));
        return index < 0 ? `s-${hash(css)}` : `s-${index.toString(36)}`;
      },
    },
  });
};
