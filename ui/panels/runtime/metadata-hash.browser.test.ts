import { expect, it, vi } from 'vitest';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import MetadataHash from './MetadataHash.svelte';

const real = useRealNode();

/** The hash of a copy of the metadata, of which nothing is known yet. `properties` are those of the chain. */
const open = (properties: unknown, version = 15) => {
  const { context, asked } = openContext((method) => (method === 'system_properties' ? properties : null));
  const meta = { ...real.meta, ...(version < 15 && { version, encoded: null }) };
  return { page: mountIn(context, MetadataHash, { meta }), asked };
};

it('is computed on request, shown whole, and differs with the token', async () => {
  const hashes = new Set<string | undefined>();
  for (const tokenSymbol of ['UNIT', 'UNIT', 'DOT']) {
    const { page, asked } = open({ tokenSymbol, tokenDecimals: 12 });
    expect(asked).toEqual([]);
    press(page, 'Compute');
    await vi.waitFor(() => expect(page.querySelector('.hash')).not.toBeNull());
    const shown = page.querySelector('.hash')?.textContent?.trim();
    expect(shown).toMatch(/^0x[0-9a-f]{64}$/);
    expect(page.querySelector('.hash button')?.getAttribute('aria-label')).toBe('Copy metadata hash');
    hashes.add(shown);
  }
  expect(hashes.size).toBe(2);
});

it.each([
  ['a chain that names no token', null, 15, 'Add tokenSymbol and tokenDecimals'],
  ['a runtime with old metadata', { tokenSymbol: 'UNIT', tokenDecimals: 12 }, 14, 'needs metadata V15'],
])('of %s says why there is none', async (_what, properties, version, why) => {
  const { page } = open(properties, version);
  press(page, 'Compute');
  await vi.waitFor(() => expect(page.querySelector('[role="alert"]')?.textContent).toContain(why));
});
