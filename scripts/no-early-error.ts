import type { Plugin } from 'vite';

const made = /new \(class StaleReactionError extends Error (\{[^}]*\})\)\(\)/;

/**
 * Svelte creates an error while it loads. V8 parses the whole script again to record where (10 ms of the
 * page's start), so this one is created without a stack.
 */
export const withoutEarlyError: Plugin = {
  name: 'tabnode:no-early-error',
  apply: 'build',
  transform: {
    filter: { id: /svelte\/src\/internal\/client\/constants\.js$/ },
    handler: (code) => {
      if (!made.test(code)) throw new Error('Svelte has changed where it makes its first error');
      return {
        code: code.replace(made, 'Object.setPrototypeOf(new (class $1)(), Error.prototype)'),
        map: null,
      };
    },
  },
};
