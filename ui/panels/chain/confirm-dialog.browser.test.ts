import { expect, it } from 'vitest';
import { mountIn, openContext } from '../../testing/open-page.ts';
import ConfirmDialog from './ConfirmDialog.svelte';

it('a question says what it would change now, although blocks arrive while it is open', async () => {
  let best = 12;
  const { context, subscribers } = openContext((method) =>
    method === 'chain_getHeader' ? { number: best, digest: { logs: [] } } : `0x${best}`,
  );
  const page = mountIn(context, ConfirmDialog, {
    question: {
      title: 'Roll back to #2?',
      hash: `0x${'02'.repeat(32)}`,
      yes: 'Roll back to #2',
      loadEffects: async () => [`#3 to #${best} leave the best chain.`],
      act: () => undefined,
    },
    onclose: () => undefined,
  });
  await expect.poll(() => page.textContent).toContain('#3 to #12 leave');
  await expect.poll(() => subscribers.has('chain_subscribeNewHeads')).toBe(true);
  best = 13;
  subscribers.get('chain_subscribeNewHeads')?.({});
  await expect.poll(() => page.textContent).toContain('#3 to #13 leave');
});
