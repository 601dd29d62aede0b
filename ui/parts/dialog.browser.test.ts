import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import '../tokens.css';
import { mountIn, openContext } from '../testing/open-page.ts';
import Dialog from './Dialog.svelte';

it('one scrim is painted behind every dialog; a menu has it on a phone only', () => {
  const { context } = openContext(() => null);
  const children = createRawSnippet(() => ({ render: () => '<p>text</p>' }));
  const scrimOf = (kind: object, width: number) => {
    const page = mountIn(context, Dialog, { title: 'One', onclose: () => undefined, children, ...kind });
    page.className = 'tabnode-devtools';
    page.style.width = `${width}px`;
    const dialog = page.querySelector('dialog') as Element;
    return getComputedStyle(dialog, '::backdrop').backgroundColor;
  };
  const probe = document.createElement('div');
  probe.style.background = 'var(--scrim)';
  document.body.append(probe);
  const scrim = getComputedStyle(probe).backgroundColor;
  probe.remove();
  expect(scrim).not.toBe('rgba(0, 0, 0, 0)');
  for (const kind of [{}, { wide: true }, { bare: true }]) expect(scrimOf(kind, 1000)).toBe(scrim);
  expect([390, 1000].map((width) => scrimOf({ menu: true }, width))).toEqual([scrim, 'rgba(0, 0, 0, 0)']);
});
