import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { perbill } from '../../src/scale/perbill.fixture.ts';
import { mountIn, typeIn } from '../testing/open-page.ts';
import { useRealNode } from '../testing/real-node.ts';
import { following, openUnit } from '../testing/value-props.svelte.ts';
import ValueEditor from './ValueEditor.svelte';
import ValueTree from './ValueTree.svelte';

const real = useRealNode();

it('a part of a whole is typed as a percentage or as parts, and shown as both', () => {
  const meta = { ...real.meta, lookup: () => perbill };
  const { changes, props } = following(0, { meta, entry: perbill, label: 'commission' });
  const page = mountIn(openUnit(), ValueEditor, props);
  const field = page.querySelector('input');
  const hint = () => page.querySelector('input + span');
  expect([field?.value, hint()?.textContent]).toEqual(['0', '= 0%']);
  typeIn(field, '12.5%');
  flushSync();
  expect([field?.value, changes.at(-1)]).toEqual(['12.5%', '125000000']);
  expect(hint()?.textContent).toMatch(/^= 125.000.000$/);
  typeIn(field, '250000000');
  flushSync();
  expect([hint()?.textContent, changes.at(-1)]).toEqual(['= 25%', '250000000']);
  for (const wrong of ['101%', '1000000001', '-1', 'half']) {
    typeIn(field, wrong);
    flushSync();
    expect(hint()?.textContent, wrong).toMatch(/^Enter parts from 0 to 1.000.000.000, or a percentage/);
    expect(field?.getAttribute('aria-invalid')).toBe('true');
  }
});

it('a part of a whole is read as a percentage, and an era by how long it lasts', () => {
  const at = { start: 0, end: 4 };
  const part = { ...at, kind: 'number', type: 'Perbill', meaning: 'part', value: 125_000_000 };
  const textOf = (value: object) => mountIn(openUnit(), ValueTree, { value } as never).textContent;
  expect(textOf(part)?.replace(/\s+/g, ' ').trim()).toBe('125 000 000 = 12.5%');
  const byte = { ...at, kind: 'number', type: 'u8', value: 1 };
  const era = {
    ...at,
    kind: 'variant',
    type: 'Era',
    meaning: 'era',
    name: 'Mortal53',
    docs: '',
    value: byte,
  };
  expect(textOf(era)?.trim()).toBe('64 blocks, phase 19');
});
