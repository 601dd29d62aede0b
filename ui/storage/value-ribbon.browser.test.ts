import { expect, it, vi } from 'vitest';
import '../tokens.css';
import '../base.css';
import { mountIn, openContext } from '../testing/open-page.ts';
import ValueRibbon from './ValueRibbon.svelte';

it('the links below the history say what they are, and are targets of 24 px', async () => {
  const { context } = openContext((method, params) => {
    if (method === 'chain_getBlockHash') return `0x0${params[0]}`;
    if (method === 'chain_getHeader') return { number: '0x7' };
    return method === 'state_queryStorage' ? [{ block: '0x00' }, { block: '0x07' }] : null;
  });
  const page = mountIn(context, ValueRibbon, { key: '0x01', turn: 0 });
  await vi.waitFor(() => expect(page.querySelector('ol')?.textContent).toMatch(/Changed in\s+#7/));
  expect(page.querySelector('ol a')?.getBoundingClientRect().height).toBe(24);
});
