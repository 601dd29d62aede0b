import { defineConfig, devices } from '@playwright/test';
import { e2ePorts, e2eUrl } from './e2e/ports.ts';
import { launchOptions } from './scripts/chromium.mjs';

/** Builds with these options and serves what was built. */
const serve = (name: keyof typeof e2ePorts, options: string) => ({
  name,
  command: `vite build --logLevel warn ${options} && vite preview ${options} --host 127.0.0.1 --port ${e2ePorts[name]} --strictPort`,
  url: e2eUrl(name),
  timeout: 120_000,
});

export default defineConfig({
  testDir: '.',
  testMatch: ['e2e/*.spec.ts', 'examples/*/*.spec.ts'],
  outputDir: 'test-results',
  timeout: 60_000,
  workers: 1,
  // A machine that is busy for a moment is no fault of the page; what needed a second try is listed as flaky.
  retries: process.env['CI'] === undefined ? 0 : 2,
  forbidOnly: process.env['CI'] !== undefined,
  use: {
    ...devices['Desktop Chrome'],
    baseURL: e2eUrl('app'),
    launchOptions: await launchOptions(),
  },
  // The app is what `npm start` builds and serves, in the same mode; only its folder is another, which a running one does not see.
  webServer: [
    serve('app', '--outDir ../dist/e2e-app'),
    serve('pages', '--mode e2e'),
    serve('dapp', '--mode e2e-dapp'),
  ],
});
