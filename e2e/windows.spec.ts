import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { ask as askNode, openLine } from './node-line.ts';
import type { DevtoolsPage } from './pages/devtools.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults, shownBest } from './support.ts';

const ask = <T>(page: Page, run: (of: DevtoolsPage) => T): Promise<Awaited<T>> =>
  page.evaluate(`(${run.toString()})(window.devtoolsPage)`) as Promise<Awaited<T>>;

test('a panel in a window of its own looks at the same node, and says when that page is left; embedded, it is laid out by its element', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openLine(page);
  await page.goto('/#/storage/Timestamp/Now');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open this panel in its own window' }).click();
  const own = await opened;
  await expect(own.getByRole('heading', { name: 'Timestamp.Now' })).toBeVisible({ timeout: 15_000 });
  await expect(own.getByRole('button', { name: 'Open this panel in its own window' })).toHaveCount(0);
  expect(own.workers()).toEqual([]);
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
  // A block may have been sealed before, of which the page has not been told.
  const best = Number((await askNode<{ number: string }>(page, 'chain_getHeader')).number);
  await expect.poll(() => shownBest(page)).toBe(best);
  await own.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBe(best + 1);
  await expect.poll(() => shownBest(own)).toBe(best + 1);
  await expectAccessible(own);
  // Navigation in one window does not affect the other.
  await own.getByRole('link', { name: /^Node/ }).click();
  await expect(page.getByRole('heading', { name: 'Timestamp.Now' })).toBeVisible();
  await page.reload();
  await expect(own.getByText('The page that runs the node is no longer open')).toBeVisible();
  await expect.poll(() => shownBest(page).catch(() => -1), { timeout: 15_000 }).toBe(best + 1);
  await own.getByRole('button', { name: 'Connect again' }).click();
  await expect.poll(() => shownBest(own).catch(() => -1), { timeout: 15_000 }).toBe(best + 1);
  expect(faults).toEqual([]);
  await own.close();

  await test.step('embedded devtools are laid out by their element, not by the page', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${e2eUrl('pages')}devtools.html`);
    await expect(page.getByRole('button', { name: 'Tabnode' })).toBeVisible();
    await ask(page, (of) => of.mount(420));
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#0');
    const rail = page.getByRole('navigation', { name: 'Panels' });
    const box = async () => (await rail.boundingBox()) ?? { width: 0, height: 0 };
    // The rail is a bar at the bottom, as on a phone.
    expect((await box()).width).toBeGreaterThan(400);
    expect((await box()).height).toBeLessThan(80);
    for (const name of ['Chain', 'Storage', 'RPC', 'Live', 'Send', 'Runtime', 'Node']) {
      await rail.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await expect(page.getByRole('main', { name })).toBeVisible();
      const beyond = await page.evaluate(() => {
        const root = document.querySelector('#devtools > *')?.shadowRoot;
        const shown = root?.querySelector('.tabnode-devtools');
        const main = root?.querySelector('main');
        const edge = main?.getBoundingClientRect().right ?? 0;
        const wide = [...(main?.querySelectorAll('*') ?? [])].filter(
          (one) => one.checkVisibility() && one.getBoundingClientRect().right > edge + 0.5,
        );
        return [shown, main].some((one) => !one || one.scrollWidth > one.clientWidth)
          ? wide.map((one) => one.outerHTML.slice(0, 90))
          : [];
      });
      expect(beyond, name).toEqual([]);
    }
  });
});
