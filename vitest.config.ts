import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { configDefaults, defineConfig } from 'vitest/config';
import { alone } from './scripts/checks/alone.ts';
import { launchOptions } from './scripts/chromium.mjs';

const fixtures = fileURLToPath(new URL('../shared/fixtures/', import.meta.url));

/** What proves blocks, forks and epochs: the dice are seeded, and nothing is tried twice. */
const consensus = [
  'worker/{author,chain,consensus,executor,pool,state,tasks,trie}/**/*.test.ts',
  'test/{chain,consensus,damage,native}/{verify,reorg,sessions,session-blocks,chains,justifications,foreign-blocks,sync-state,state-pruning}*.test.ts',
  'test/vectors/*.test.ts',
];

/** What takes minutes and seldom fails: 10,000 sockets, the packed package. `npm test` leaves it out. */
const nightly = '**/*.nightly.test.ts';

/** Others wait for processes, sockets and timers: a machine that is busy for a moment is no fault of theirs. */
const retry = process.env['CI'] === undefined ? 0 : 1;

/**
 * Vitest would leave a core to itself, which is half of a small machine; and many tests wait for another process, so that a third
 * worker has something to do on two cores. Chromium runs one page, because a Wasm memory reserves 8 GiB of its 1 TiB of addresses until it is collected.
 */
const maxWorkers = Math.max(3, availableParallelism() - 1);

const options = await launchOptions();

/**
 * `x.test.ts` runs in Node.js; `x.browser.test.ts` in Node.js and in Chromium, that of `ui` in Chromium alone.
 * What reads `../shared/fixtures` does so through test/rigs/fixtures.ts, which works in both.
 */
export default defineConfig({
  publicDir: 'public',
  define: { __FIXTURES__: JSON.stringify(fixtures) },
  server: { fs: { allow: ['.', fixtures] } },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ['test/rigs/patience.ts', 'test/rigs/end-stubs.ts'],
    projects: [
      {
        extends: true,
        // Classes with state of the devtools: `x.svelte.ts`.
        plugins: [svelte()],
        test: {
          name: 'node',
          environment: 'node',
          include: ['{src,worker,bridge,ui,scripts,test,examples,bench}/**/*.test.ts'],
          // Components need a page.
          exclude: [...configDefaults.exclude, ...consensus, ...alone, nightly, 'ui/**/*.browser.test.ts'],
          // scripts/checks/alone.ts
          isolate: false,
          maxWorkers,
          retry,
        },
      },
      {
        extends: true,
        test: {
          name: 'consensus',
          environment: 'node',
          include: consensus,
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        plugins: [svelte()],
        test: { name: 'alone', environment: 'node', include: [...alone], maxWorkers, retry },
      },
      {
        extends: true,
        test: { name: 'nightly', environment: 'node', include: [nightly] },
      },
      {
        extends: true,
        plugins: [svelte()],
        optimizeDeps: {
          // A dependency found in the middle of a run would reload the page: name them all.
          include: [
            '@noble/ciphers/chacha.js',
            '@noble/curves/ed25519.js',
            '@noble/hashes/hmac.js',
            '@noble/hashes/sha2.js',
            '@polkadot/api',
            '@polkadot/keyring',
            '@polkadot/util-crypto',
            '@polkadot/util-crypto/address',
            '@polkadot/util-crypto/blake2',
            '@polkadot/util-crypto/ed25519',
            '@polkadot/util-crypto/ethereum',
            '@polkadot/util-crypto/hd',
            '@polkadot/util-crypto/json',
            '@polkadot/util-crypto/key',
            '@polkadot/util-crypto/mnemonic',
            '@polkadot/util-crypto/mnemonic/bip39',
            '@polkadot/util-crypto/mnemonic/wordlists',
            '@polkadot/util-crypto/mnemonic/wordlists/en',
            '@polkadot/util-crypto/pbkdf2',
            '@polkadot/util-crypto/secp256k1',
            '@polkadot/util-crypto/sr25519',
            '@scure/base',
            '@scure/bip39',
            '@scure/sr25519',
            'comlink',
            'fast-check',
            'idb',
            'zod/mini',
          ],
        },
        test: {
          name: 'chromium',
          include: ['{src,worker,test,ui}/**/*.browser.test.ts'],
          setupFiles: ['test/rigs/free-memory.ts'],
          maxWorkers: 1,
          retry,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { ...options, args: [...options.args, '--js-flags=--expose-gc'] },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
