import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { alone, changesProcess } from './alone.ts';

it('a test that changes its process has one of its own, and no other has', () => {
  const files = globSync('{src,worker,bridge,ui,scripts,test,examples}/**/*.test.ts').filter(
    (file) => !/^ui\/.*\.browser\.test\.ts$|\.nightly\.test\.ts$|node_modules/.test(file),
  );
  expect(files.length).toBeGreaterThan(400);
  const found = files.filter((file) => changesProcess(readFileSync(file, 'utf8')));
  expect(found.filter((file) => file !== 'scripts/checks/alone.test.ts').sort()).toEqual(alone);
});

it.each(["vi.mock('./a.ts', () => ({}));", "process.env['TZ'] = 'UTC';", 'process.env.TZ = zone;'])(
  'finds %s',
  (text) => {
    expect(changesProcess(`const a = 1;\n${text}`)).toBe(true);
  },
);

it.each(["vi.stubEnv('TZ', 'UTC');", "if (process.env['CI'] === undefined) return;"])(
  'lets %s be',
  (text) => {
    expect(changesProcess(text)).toBe(false);
  },
);
