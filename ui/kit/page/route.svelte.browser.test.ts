import { flushSync } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { openLink, Route } from './route.svelte.ts';

it('a panel leads back to where it was left on the open chain, never to another chain', async () => {
  const route = new Route();
  let link = '';
  const stop = $effect.root(() => {
    $effect(() => {
      link = route.linkBack('storage');
    });
  });
  onTestFinished(stop);
  const goTo = async (place: string): Promise<string> => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    openLink(place);
    await changed;
    flushSync();
    return link;
  };
  flushSync();
  await goTo('#/@one/storage/System/Number');
  expect(await goTo('#/@one/send')).toBe('#/@one/storage/System/Number');
  expect(await goTo('#/@two/send')).toBe('#/@two/storage');
  expect(await goTo('#/@one/send')).toBe('#/@one/storage/System/Number');
});
