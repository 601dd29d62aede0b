import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { testOptions } from './chromium.mjs';

const require = createRequire(import.meta.url);

it('turns off every feature that Playwright turns off, as Chromium takes the last list alone', async () => {
  const playwright = createRequire(require.resolve('playwright')).resolve('playwright-core/package.json');
  const source = readFileSync(join(dirname(playwright), 'lib/coreBundle.js'), 'utf8');
  const list = /disabledFeatures = \[([^\]]+)\]/.exec(source)?.[1] ?? '';
  const theirs = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  expect(theirs).toContain('PaintHolding');
  const { args } = await testOptions();
  const ours = args.findLast((one) => one.startsWith('--disable-features='))?.split(/[=,]/) ?? [];
  expect(theirs.filter((name) => !ours.includes(String(name)))).toEqual([]);
});
