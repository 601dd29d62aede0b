import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { e2eUrl } from './e2e/ports.ts';
import { testOptions } from './scripts/chromium.mjs';

const isCi = process.env['CI'] !== undefined;

export default defineConfig({
  testDir: '.',
  testMatch: ['e2e/*.spec.ts', 'examples/*/*.spec.ts'],
  outputDir: 'test-results',
  timeout: 120_000,
  // Tests wait for what happens, not for how soon: a machine that is busy for a moment is no fault of the page.
  expect: { timeout: 15_000 },
  // Each test has a browser context, and so databases, of its own: tests of one file run side by side too.
  fullyParallel: true,
  workers: 2,
  forbidOnly: isCi,
  // A test that passes only the second time is reported as flaky, by name; it does not hide the results of all others.
  retries: isCi ? 1 : 0,
  use: {
    ...devices['Desktop Chrome'],
    baseURL: e2eUrl('app'),
    launchOptions: await testOptions(),
    // Each frame of an animation is painted by the processor. A test that looks at one asks for it.
    contextOptions: { reducedMotion: 'reduce' },
    // Each context would store the whole page once more. The tests that need one allow it.
    serviceWorkers: 'block',
  },
  webServer: {
    command: `${join('node_modules', '.bin', 'node')} e2e/serve.ts`,
    url: e2eUrl('app'),
    timeout: 240_000,
    reuseExistingServer: !isCi,
  },
});
