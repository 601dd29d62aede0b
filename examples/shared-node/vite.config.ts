import { defineConfig } from 'vite';
import { tabnode } from '../../bridge/vite.ts';

// In a project of your own: `import { tabnode } from 'tabnode/vite'`, and nothing but the plugin.
// biome-ignore lint/style/noDefaultExport: Vite reads it
export default defineConfig({
  plugins: [tabnode()],
  publicDir: '../../public',
  server: { fs: { allow: ['../..'] } },
  // Those of the node's worker, which are part of the package.
  optimizeDeps: {
    include: [
      'comlink',
      'idb',
      'zod/mini',
      '@scure/base',
      '@scure/bip39',
      '@scure/bip39/wordlists/english.js',
    ],
  },
});
