import { expect, it } from 'vitest';
import { firstChain, freeName, isEntry } from './chain-entry.ts';

it('appends a number to a name that is taken, ignoring case and surrounding spaces', () => {
  expect(freeName('Development', [])).toBe('Development');
  expect(freeName(' development ', ['Development'])).toBe('development 2');
  expect(freeName('Development', ['Development', 'DEVELOPMENT 2'])).toBe('Development 3');
  expect(freeName('', ['Chain'])).toBe('Chain 2');
});

it('a name of a file is as short as a typed one, and has no characters that turn the text around it', () => {
  expect(freeName('W'.repeat(300), [])).toBe(`${'W'.repeat(59)}…`);
  expect(freeName('W'.repeat(60), [])).toBe('W'.repeat(60));
  expect(freeName('\u202edlrow\u0007 👩‍👩‍👧', [])).toBe('dlrow 👩‍👩‍👧');
});

it('takes only entries of a known origin from the stored list', () => {
  const entry = firstChain;
  const of = (origin: unknown) => ({ ...entry, origin });
  for (const good of [
    entry,
    of({ kind: 'spec' }),
    of({ kind: 'wasm', preset: null }),
    of({ kind: 'wasm', preset: 'x' }),
  ])
    expect(isEntry(good)).toBe(true);
  const damaged = [null, 3, 'x', [], {}, { ...entry, id: '' }, { ...entry, id: 1 }, { ...entry, name: null }];
  const origins = [
    null,
    'spec',
    { kind: 'preset' },
    { kind: 'preset', preset: 'x' },
    { kind: 'wasm' },
    { kind: 'wasm', preset: 1 },
    { kind: ['spec'] },
  ];
  for (const bad of [...damaged, ...origins.map(of)]) expect(isEntry(bad)).toBe(false);
});
