import { expect, it, vi } from 'vitest';
import '../tokens.css';
import '../base.css';
import { mountIn, openContext } from '../testing/open-page.ts';
import ValueRibbon from './ValueRibbon.svelte';

it('the links below the history say what they are, and are targets of 24 px', async () => {
  const { context } = openContext((method, params) => {
    if (method === 'chain_getBlockHash') return `0x0${params[0]}`;
    if (method === 'chain_getHeader') return { number: '0x7' };
    return method === 'state_queryStorage' ? ['0x00', '0x07'].map((block) => ({ block, changes: [] })) : null;
  });
  const page = mountIn(context, ValueRibbon, { key: '0x01', turn: 0 });
  await vi.waitFor(() => expect(page.querySelector('ol')?.textContent).toMatch(/Changed in\s+#7/));
  expect(page.querySelector('ol a')?.getBoundingClientRect().height).toBe(24);
});

it('marks the blocks whose value was edited by hand, not those that wrote it themselves', async () => {
  const hashes = ['0x00', '0x05', '0x06', '0x07'];
  const { context } = openContext((method, [first]) => {
    if (method === 'chain_getBlockHash') return hashes[Number(first) % 4];
    if (method === 'chain_getHeader') return { number: first };
    if (method === 'state_queryStorage')
      return hashes.map((block) => ({ block, changes: [['0xaa', '0x0b']] }));
    const wrote = first === '0x06' ? '010b' : '010a';
    const event = { data: { stringValues: { key: 'aa', method: 'Put', value_encoded: wrote } } };
    return method === 'state_traceBlock' ? { blockTrace: { events: [event] } } : null;
  });
  const { node } = context;
  vi.spyOn(node, 'status').mockResolvedValue({ edited: ['0x05', '0x06'] } as never);
  const page = mountIn(context, ValueRibbon, { key: '0xaa', turn: 0 });
  const rows = () => [...page.querySelectorAll('ol li')].map(({ textContent }) => textContent.trim());
  await vi.waitFor(() => expect(rows().slice(1)).toEqual(['#7', '#6', expect.stringMatching(/#5\s+edited/)]));
});
