import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { openPageNode } from '../../../test/page-node.ts';
import { mountIn, openContext, press, widen } from '../../testing/open-page.ts';
import ConsensusPage from './ConsensusPage.svelte';

let real: Awaited<ReturnType<typeof openPageNode>>;
let best: string;

beforeAll(async () => {
  real = await openPageNode();
  best = String(await real.request('chain_getBlockHash', []));
});
afterAll(() => real.close());

/** The page over a real node, whose best block is also known by the hash of the context's start info. */
const openEpoch = (change: (method: string) => unknown = () => undefined) => {
  const { context } = openContext(
    (method, params) =>
      change(method) ??
      real.request(
        method,
        params.map((param) => (param === context.node.info.bestHash ? best : param)),
      ),
  );
  const page = mountIn(context, ConsensusPage, { slotMs: 6000, onclose: () => undefined });
  return Object.assign(page, { context });
};
const slots = (page: HTMLElement) => [...page.querySelectorAll('ol[aria-label="Slots of this epoch"] > li')];

it('shows every slot of the epoch: who may claim it, and the block that did', async () => {
  const page = openEpoch();
  await vi.waitFor(() => expect(page.textContent).toContain('around the best block; 1 slot with a block'));
  await vi.waitFor(() => expect(page.textContent).toContain('may claim: Alice (primary)'));
  const links = slots(page).flatMap((slot) => [...slot.querySelectorAll('a')]);
  expect(links.map(({ textContent }) => textContent)).toEqual(['A']);
  expect(links[0]?.getAttribute('aria-label')).toMatch(/^Slot .* block #1 by Alice; may claim: Alice/);
  expect(page.textContent).toMatch(/Authorities\s*1/);
  // On a phone, the slots are longer than the screen, so the votes come first.
  const heads = [...page.querySelectorAll('h3')].map(({ textContent }) => textContent.trim().split(/\s/)[0]);
  expect(heads).toEqual(['GRANDPA', 'Epoch', 'Slots', 'Authorities']);
});

it('draws the slots as squares of one size that wrap on a phone and do not overlap', async () => {
  const page = openEpoch();
  widen(page, 390);
  await vi.waitFor(() => expect(page.textContent).toContain('may claim: Alice (primary)'));
  const places = slots(page).map((slot) => slot.getBoundingClientRect());
  expect(new Set(places.map(({ width, height }) => `${width} × ${height}`)).size).toBe(1);
  expect(Math.min(...places.map(({ width }) => width))).toBeGreaterThanOrEqual(24);
  expect(new Set(places.map(({ left, top }) => `${left} ${top}`)).size).toBe(places.length);
  expect(Math.max(...places.map(({ right }) => right))).toBeLessThanOrEqual(390);
});

it('a runtime without BABE has no epochs, which the page says', async () => {
  const page = openEpoch((method) => {
    if (method === 'state_call') throw new Error('Exported method BabeApi_current_epoch is not found');
    return method === 'state_getRuntimeVersion' ? { apis: [] } : undefined;
  });
  await vi.waitFor(() => expect(page.textContent).toContain('No epochs'));
  expect(slots(page)).toEqual([]);
});

it('shows the slots of a key that is added, here or before the next visit', async () => {
  let keys = 0;
  const page = openEpoch((method) => {
    if (method === 'author_insertKey') {
      keys = 1;
      return keys;
    }
    return method === 'babe_epochAuthorship' && keys === 0 ? {} : undefined;
  });
  await vi.waitFor(() => expect(page.textContent).toContain('no key of this node'));
  await page.context.node.request('author_insertKey', ['babe', '//Alice', '0x00']);
  await vi.waitFor(() => expect(page.textContent).toContain('may claim: Alice (primary)'));
  keys = 0;
  const later = mountIn(page.context, ConsensusPage, { slotMs: 6000, onclose: () => undefined });
  await vi.waitFor(() => expect(later.textContent).toContain('no key of this node'));
});

it('says who may claim a slot only once the node has said so', async () => {
  let isRefused = true;
  const page = openEpoch((method) => {
    if (method === 'babe_epochAuthorship' && isRefused) throw new Error('no keystore');
    return undefined;
  });
  await vi.waitFor(() => expect(page.textContent).toContain('this node’s keys may claim could not be read'));
  expect(slots(page).length).toBeGreaterThan(0);
  expect(page.querySelector('ol')?.textContent).not.toContain('may claim');
  isRefused = false;
  press(page, 'Try again');
  await vi.waitFor(() => expect(page.textContent).toContain('may claim: Alice (primary)'));
});
