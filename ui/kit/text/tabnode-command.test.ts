import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tabnodeCommand } from './tabnode-command.ts';

it.each([
  ['a clone', '127.0.0.1', false, { text: 'npm run tabnode -- bridge', where: '' }],
  ['a clone', 'localhost', false, { text: 'npm run tabnode -- bridge', where: '' }],
  ['an installed package', '127.0.0.1', true, { text: 'npx tabnode bridge', where: '' }],
  [
    'a host',
    'tabnode.example',
    true,
    { text: 'npm run tabnode -- bridge', where: 'in a clone of Tabnode, after npm install: ' },
  ],
] as const)('on a page from %s (%s), the command works there', (_, hostname, packaged, command) => {
  expect(tabnodeCommand('bridge', hostname, packaged)).toEqual(command);
});

it('nothing else on the page or in the library names a command that may not exist', () => {
  const files = globSync('{ui,src}/**/*.{ts,svelte}').filter(
    (file) => !/\.test\.ts$|tabnode-command/.test(file),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => /npx tabnode/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
