import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findNodes } from '../../src/offer/find-nodes.ts';
import type { OfferDetail } from '../../src/offer/offer-node.ts';
import { createLed } from '../../src/tabs/fake-tabs.fixture.ts';
import { mountIn, openContext } from '../testing/open-page.ts';
import { NodeOffer } from './node-offer.svelte.ts';
import OtherPages from './OtherPages.svelte';

const mountOffer = () => {
  const { context } = openContext(() => null);
  const asked: unknown[] = [];
  const led = createLed('node');
  const node = context.node.with({
    openPort: async (options) => {
      asked.push(options.denyUnsafe);
      return led.openPort();
    },
  });
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const offer = new NodeOffer(node, 'My chain', over.signal);
  const page = mountIn(context, OtherPages, { offer });
  const check = (label: string): void => {
    const found = [...page.querySelectorAll('label')].find(({ textContent }) => textContent.includes(label));
    found?.querySelector('input')?.click();
    flushSync();
  };
  return { page, check, over, asked };
};

const details = (): OfferDetail[] => {
  const all: OfferDetail[] = [];
  const onProvider = (detail: OfferDetail): void => void all.push(detail);
  dispatchEvent(new CustomEvent('substrateDiscovery:requestProvider', { detail: { onProvider } }));
  return all;
};

const request = async (): Promise<unknown> => (await details()[0]?.provider)?.request({ method: 'who' });

it('offers the node while the switch is on, with safe calls, and lists who uses it', async () => {
  const { page, check, asked } = mountOffer();
  expect(details()).toEqual([]);
  expect(await findNodes()).toEqual([]);
  check('Offer this node');
  expect(details().map(({ info }) => info.name)).toEqual(['My chain']);
  expect((await findNodes()).map(({ name }) => name)).toEqual(['My chain']);
  expect(page.textContent).toContain('No script or page is connected.');
  expect(await request()).toBe('node');
  await vi.waitFor(() => expect(page.textContent).toContain('A script on this page since'));
  const other = await (await findNodes())[0]?.open();
  await vi.waitFor(() => expect(page.textContent).toContain('A page of this site since'));
  await other?.stop();
  await vi.waitFor(() => expect(page.textContent).not.toContain('A page of this site'));
  page.querySelector<HTMLButtonElement>('li button')?.click();
  await vi.waitFor(() => expect(page.textContent).toContain('No script or page is connected.'));
  expect(asked).toEqual([true, true]);
  check('Offer this node');
  expect(details()).toEqual([]);
  expect(page.textContent).not.toContain('Connected');
});

it('allows unsafe calls only by the second switch, and ends with the chain', async () => {
  const { check, over, asked } = mountOffer();
  check('Allow unsafe calls');
  expect(details()).toEqual([]);
  check('Offer this node');
  expect(await request()).toBe('node');
  check('Allow unsafe calls');
  expect(await request()).toBe('node');
  expect(asked).toEqual([false, true]);
  over.abort();
  expect(details()).toEqual([]);
});
