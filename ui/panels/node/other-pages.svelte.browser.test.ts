import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findNodes } from '../../../src/offer/find-nodes.ts';
import type { OfferDetail } from '../../../src/offer/offer-node.ts';
import { createLed } from '../../../src/tabs/fake-tabs.fixture.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import type { ChainEntry } from '../../node/session/chain-entry.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { mountIn, openContext } from '../../testing/open-page.ts';
import { type NodeOffer, nodeOffer } from './node-offer.svelte.ts';
import OtherPages from './OtherPages.svelte';

type Running = { readonly node: UiNode | null; readonly entry: ChainEntry };
class FakeSession {
  now: Running;
  constructor(now: Running) {
    this.now = $state.raw(now);
  }
  get node(): UiNode | null {
    return this.now.node;
  }
  get entry(): ChainEntry {
    return this.now.entry;
  }
}

const mountOffer = () => {
  const { context } = openContext(() => null);
  const asked: unknown[] = [];
  const led = createLed('node');
  const startNode = () =>
    context.node.with({
      openPort: async (options) => {
        asked.push(options?.denyUnsafe ?? false);
        return led.openPort();
      },
    });
  const running = (id: string): Running => ({
    node: startNode(),
    entry: { id, name: 'My chain' } as ChainEntry,
  });
  const session = new FakeSession(running('mine'));
  /** The node of the page restarts, maybe on another chain. */
  const restart = (id: string): void => {
    session.now = { ...session.now, node: null };
    flushSync();
    session.now = running(id);
    flushSync();
  };
  const open = () => nodeOffer({ node: context.node, session: session as unknown as Session });
  const page = mountIn(context, OtherPages, { offer: open() as NodeOffer });
  onTestFinished(() => restart('none'));
  const check = (label: string): void => {
    const found = [...page.querySelectorAll('label')].find(({ textContent }) => textContent.includes(label));
    found?.querySelector('input')?.click();
    flushSync();
  };
  return { page, check, restart, asked, open };
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

it('allows unsafe calls only by the second switch, and ends with the chain, not with its node', async () => {
  const { page, check, restart, asked, open } = mountOffer();
  check('Allow unsafe calls');
  expect(details()).toEqual([]);
  check('Offer this node');
  expect(await request()).toBe('node');
  check('Allow unsafe calls');
  expect(await request()).toBe('node');
  expect(asked).toEqual([false, true]);
  restart('mine');
  expect(open()?.isOn).toBe(true);
  expect(await request()).toBe('node');
  restart('other');
  expect(details()).toEqual([]);
  expect([...page.querySelectorAll('input')].map(({ checked }) => checked)).toEqual([false, false]);
});
