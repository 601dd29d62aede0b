import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { pageHeaders } from './bridge/pages/page-server.ts';
import { withBundledList } from './scripts/notices/bundled.ts';
import { appChunks, chunkNames } from './scripts/vite/app-chunks.ts';
import { withBuildKey } from './scripts/vite/build-key.ts';
import { withCompileHint } from './scripts/vite/compile-hint.ts';
import { withEarlyWorker } from './scripts/vite/early-worker.ts';
import { withServiceWorker } from './scripts/vite/emit-service-worker.ts';
import { smallSvelte } from './scripts/vite/small-svelte.ts';
import { startOf, workerChunks } from './scripts/vite/worker-chunks.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The policy follows the node that the page's URL names, as in the page server of the command. */
const withPageHeaders: Plugin = {
  name: 'tabnode:page-headers',
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      const [path = '/', text] = request.url?.split('?', 2) ?? [];
      for (const [name, value] of Object.entries(pageHeaders(new URLSearchParams(text), path)))
        response.setHeader(name, value);
      next();
    });
  },
};

/** Of package.json a build takes the version alone. */
const withVersionOnly: Plugin = {
  name: 'tabnode:version-only',
  enforce: 'pre',
  load: {
    filter: { id: /\/package\.json$/ },
    handler: async (id) => {
      if (id !== path('./package.json')) return null;
      const { version } = JSON.parse(await readFile(id, 'utf8')) as { version: string };
      return JSON.stringify({ version });
    },
  },
};

/**
 * `@polkadot/wasm-crypto` offers entries with and without its Wasm, of which the one without is a third as large to download and no
 * slower for accounts: all functions of `@polkadot/util-crypto` have a JavaScript path as well (decision 92). Only for our own code: a page that
 * uses polkadot-js itself waits for the Wasm.
 */
const withoutWasm = {
  alias: [{ find: /^@polkadot\/wasm-crypto-init$/, replacement: '@polkadot/wasm-crypto-init/none' }],
};

/**
 * How long each plugin took is nothing for who starts the page, and chunks are made by group (app-chunks.ts): an import that looks ineffective
 * to rolldown still loads a file later.
 */
const quietChecks = { pluginTimings: false, ineffectiveDynamicImport: false };

const common: UserConfig = {
  publicDir: path('./public'),
  plugins: [svelte(), withPageHeaders],
  worker: {
    format: 'es',
    plugins: () => [withVersionOnly, withBundledList],
    rolldownOptions: { checks: quietChecks, output: { ...chunkNames('worker-'), ...workerChunks } },
  },
};

/**
 * Browsers that know `light-dark()` themselves. Lowered for older ones it would follow the system's theme only, and the
 * theme that a person chooses would paint nothing.
 */
const cssTarget = ['chrome123', 'firefox120', 'safari17.5'];

// Nothing is inlined as a data: address, which the policy would refuse.
const buildInto = (outDir: string): NonNullable<UserConfig['build']> => ({
  outDir: path(outDir),
  emptyOutDir: true,
  target: 'es2024',
  cssTarget,
  assetsInlineLimit: 0,
  reportCompressedSize: false,
});

/** The page, which works in any folder of a host. */
const app = (): UserConfig => ({
  ...common,
  base: './',
  root: path('./ui'),
  resolve: withoutWasm,
  plugins: [
    smallSvelte(path('./ui')),
    withPageHeaders,
    withEarlyWorker,
    withCompileHint,
    withServiceWorker,
    withBundledList,
    withBuildKey(),
  ],
  build: {
    ...buildInto('./dist/app'),
    manifest: true,
    // A script that adds links while the page starts is parsed again by V8, to record where (30 ms of processor time).
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
    // Not in the package, of which they would be two thirds.
    sourcemap: process.env['VITE_PACKAGED'] === undefined,
    rolldownOptions: { checks: quietChecks, output: appChunks() },
  },
});

/** Pages that only the end-to-end tests open: each e2e/pages/*.html. */
const pages = (): UserConfig => {
  const folder = path('./e2e/pages');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.html')) : [];
  return {
    ...common,
    plugins: [svelte(), withPageHeaders, withAdoptedStyles, withBuildKey()],
    root: folder,
    build: {
      ...buildInto('./dist/e2e'),
      rolldownOptions: { input: names.map((name) => `${folder}/${name}`) },
    },
  };
};

/**
 * Vite wraps an address twice, which webpack then takes for a plain asset. Written as all bundlers know it, they find the
 * worker, and in it the Wasm.
 */
const plainAddresses = (code: string): string =>
  code.replace(
    /new URL\(\s*(?:\/\*[^*]*\*\/\s*)?new URL\("([^"]+)", import\.meta\.url\)\.href,\s*"" \+ import\.meta\.url\s*\)/g,
    'new URL("./$1", import.meta.url)',
  );

const withPlainAddresses: Plugin = {
  name: 'tabnode:plain-addresses',
  enforce: 'post',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = plainAddresses(file.code);
      else if (file.fileName.endsWith('.js')) file.source = plainAddresses(String(file.source));
    }
  },
};

/**
 * Components that live in a shadow root bring their styles as constructed sheets: no `<style>` element, so that a page
 * with a strict policy can hold them. Each import of a style becomes a call of `addStyle`.
 */
const withAdoptedStyles: Plugin = {
  name: 'tabnode:adopted-styles',
  transform: (code, id) => {
    if (!/\.svelte$/.test(id)) return null;
    const sheets: string[] = [];
    const rest = code.replace(/^import\s*["']([^"'\n]+\.css)["'];?/gm, (_, from: string) => {
      const inline = from.includes('?') ? from.replace('?', '?inline&') : `${from}?inline`;
      sheets.push(inline);
      return '';
    });
    if (sheets.length === 0) return null;
    const imports = sheets.map((from, index) => `import sheet${index} from ${JSON.stringify(from)};`);
    const calls = sheets.map((_, index) => `addStyle(sheet${index});`);
    const add = `import { addStyle } from ${JSON.stringify(path('./ui/embed/styles.ts'))};`;
    return { code: [add, ...imports, ...calls, rest].join('\n'), map: null };
  },
};

/** The example of a dApp, as its Playwright test visits it. */
const dapp = (): UserConfig => ({
  ...common,
  plugins: [svelte(), withPageHeaders, withBuildKey()],
  root: path('./examples/dapp'),
  build: { ...buildInto('./dist/dapp'), rolldownOptions: { output: chunkNames('') } },
});

/** The npm package's browser side: modules that name their worker by a relative address. */
const lib = (): UserConfig => ({
  ...common,
  plugins: [svelte(), withAdoptedStyles, withPlainAddresses, withBundledList],
  base: './',
  publicDir: false,
  resolve: withoutWasm,
  build: {
    ...buildInto('./dist/lib'),
    minify: false,
    modulePreload: false,
    rolldownOptions: {
      checks: quietChecks,
      input: {
        index: path('./src/index.ts'),
        'polkadot-js': path('./src/providers/polkadot-js.ts'),
        papi: path('./src/providers/papi.ts'),
        bridge: path('./src/bridge/index.ts'),
        devtools: path('./ui/embed.ts'),
        'testing-playwright': path('./src/testing/playwright.ts'),
        'testing-vitest': path('./src/testing/vitest.ts'),
        'testing-chopsticks': path('./src/testing/chopsticks.ts'),
      },
      // The test's own polkadot-js: objects of two copies are not the same classes.
      external: [/^@polkadot\//],
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunk-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});

/** A bundle for Node.js leaves files named by address where they were: these go beside it. */
const besideNode = {
  'crypto-core.wasm': './worker/crypto/crypto-core.wasm',
  'signature-batch.wasm': './worker/crypto/signature-batch.wasm',
  'grandpa.wasm': './worker/consensus/grandpa/voter/grandpa.wasm',
  'openrpc.json': './docs/openrpc.json',
};
const withFilesBeside: Plugin = {
  name: 'tabnode:files-beside',
  async generateBundle() {
    for (const [fileName, from] of Object.entries(besideNode))
      this.emitFile({ type: 'asset', fileName, source: await readFile(path(from)) });
  },
};

/** Bundles for Node.js, which does not strip types inside node_modules. */
const nodeBundle = (
  plugins: Plugin[],
  input: Readonly<Record<string, string>>,
  codeSplitting: Rolldown.CodeSplittingOptions | true = true,
): UserConfig => ({
  plugins: [withVersionOnly, ...plugins, withBundledList],
  publicDir: false,
  resolve: withoutWasm,
  // One file of what is used starts faster than a hundred modules of node_modules; ws looks for native helpers, so it stays out.
  ssr: { noExternal: true, external: ['ws'] },
  build: {
    ...buildInto('./dist/node'),
    ssr: true,
    minify: false,
    rolldownOptions: {
      checks: quietChecks,
      input,
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js', codeSplitting },
    },
  },
});

/**
 * The threads of the command, built apart from it: a part of a library that only the command uses would be
 * loaded by every node.
 */
const nodeThreads = (): UserConfig =>
  nodeBundle(
    [withFilesBeside],
    {
      'serve-thread': path('./bridge/thread/serve-thread.ts'),
      'main-node': path('./worker/main-node.ts'),
      'signature-thread': path('./worker/crypto/signature-thread.ts'),
    },
    startOf(path('./worker/main-node.ts')),
  );

/** The command, the plugin for Vite, and the forks of tests. Built after its threads, into the same folder. */
const nodeCommand = (): UserConfig => {
  const { build, ...rest } = nodeBundle([], {
    tabnode: path('./bridge/tabnode.ts'),
    vite: path('./bridge/vite.ts'),
    'testing-fork': path('./bridge/testing/open-fork.ts'),
  });
  return { ...rest, build: { ...build, emptyOutDir: false } };
};

export default defineConfig(({ mode }) => {
  if (mode === 'lib') return lib();
  if (mode === 'node-threads') return nodeThreads();
  if (mode === 'node-command') return nodeCommand();
  if (mode === 'e2e') return pages();
  if (mode === 'e2e-dapp') return dapp();
  return app();
});
