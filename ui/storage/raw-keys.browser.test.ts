import { expect, it } from 'vitest';
import { openLink } from '../page/route.svelte.ts';
import { mountIn, openContext } from '../testing/open-page.ts';
import { useRealNode } from '../testing/real-node.ts';
import RawKeys from './RawKeys.svelte';

const real = useRealNode();

it('a key that the metadata does not know is said to be unknown, in muted words', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  openLink(`#/storage/raw?key=0x${'ab'.repeat(32)}`);
  const page = mountIn(context, RawKeys, { hash: null, meta: real.meta });
  expect(page.querySelector('[role="status"] .muted')?.textContent).toBe(
    'Not known to this runtime’s metadata.',
  );
});
