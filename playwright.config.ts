import { defineConfig, devices } from '@playwright/test';
import { launchOptions } from './scripts/chromium.mjs';

// Ports of their own, so that a running `npm start` is left alone.
const appPort = 5197;
const pagesPort = 5196;
const dappPort = 5195;
const serve = (port: number, mode: string): string =>
  `vite build --logLevel warn --mode ${mode} && vite preview --mode ${mode} --host 127.0.0.1 --port ${port} --strictPort`;

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
    baseURL: `http://127.0.0.1:${appPort}/`,
    launchOptions: await launchOptions(),
  },
  webServer: [
    {
      name: 'app',
      command: serve(appPort, 'e2e-app'),
      url: `http://127.0.0.1:${appPort}/`,
      timeout: 120_000,
    },
    {
      name: 'pages',
      command: serve(pagesPort, 'e2e'),
      url: `http://127.0.0.1:${pagesPort}/`,
      timeout: 120_000,
    },
    {
      name: 'dapp',
      command: serve(dappPort, 'e2e-dapp'),
      url: `http://127.0.0.1:${dappPort}/`,
      timeout: 120_000,
    },
  ],
});
