import { readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';

/** Calls in a component that do nothing unless it takes over HTML of a server. */
const hydrationCalls = /^\s*\$\.(?:reset|next)\([^;\n]*\);$/gm;

/**
 * Leaves out what Svelte needs to take over HTML that a server rendered: no page of ours is. Svelte guards this code with
 * one variable, which the bundler cannot see to be constant.
 */
export const withoutHydration: Plugin = {
  name: 'tabnode:without-hydration',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('.svelte')) return { code: code.replaceAll(hydrationCalls, ''), map: null };
    if (!id.endsWith('svelte/src/internal/client/dom/hydration.js')) return null;
    const constant = code
      .replace('export let hydrating = false;', 'export const hydrating = false;')
      .replace(/^\s*hydrating = value;$/m, '');
    if (/\bhydrating = (?!false;)/.test(constant)) this.error('Svelte sets `hydrating` elsewhere now');
    return { code: constant, map: null };
  },
};

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
