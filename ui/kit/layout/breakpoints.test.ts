import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ui = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ui), 'utf8');

it('every rule for a width uses one of the widths that tokens.css names', () => {
  const widths = (text: string, of: RegExp) => [...text.matchAll(of)].map(([, px]) => px);
  const named = widths(read('tokens.css'), /^ \* +(\d+) px {2}/gm);
  const files = globSync('**/*.{svelte,css}', { cwd: ui });
  const used = files.flatMap((file) => widths(read(file), /@container[^{]*width[^{]*?(\d+)px/g));
  expect(new Set(used)).toEqual(new Set(named));
});
