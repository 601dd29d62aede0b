import { expect, it } from 'vitest';

const sources = import.meta.glob<string>('../**/*.{svelte,css}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

it('every rule for a width uses one of the widths that tokens.css names', () => {
  const widths = (text: string, of: RegExp) => [...text.matchAll(of)].map(([, px]) => px);
  const named = widths(sources['../tokens.css'] ?? '', /^ \* +(\d+) px {2}/gm);
  expect(named.length).toBeGreaterThan(4);
  const used = Object.values(sources).flatMap((text) => widths(text, /@container[^{]*width[^{]*?(\d+)px/g));
  expect(new Set(used)).toEqual(new Set(named));
});
