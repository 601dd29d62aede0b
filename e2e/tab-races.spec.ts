import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { createRandom } from '../test/rigs/random.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults } from './support.ts';
import { ask, readTab, type Shown, type TabAction, tabActions } from './tab-actions.ts';

// Several tabs of one chain act at the same time: whatever they do, and in whatever order it takes effect, each ends on a page
// that is true. More by hand: TABNODE_TAB_RACES=500 TABNODE_TAB_SEED=7 npx playwright test e2e/tab-races.spec.ts

test.use({ actionTimeout: 15_000 });

const races = Number(process.env['TABNODE_TAB_RACES'] ?? 8);
const firstSeed = Number(process.env['TABNODE_TAB_SEED'] ?? Date.now() % 1_000_000);

type Tab = { readonly page: Page; readonly faults: string[] };

const openTab = async (context: BrowserContext): Promise<Tab> => {
  const page = await context.newPage();
  return { page, faults: collectFaults(page) };
};

const shows = (page: Page) => page.getByRole('link', { name: 'Best block' });

/** Brings every tab to the chain, which the first one creates if it is not there. */
const gather = async (tabs: readonly Tab[]): Promise<void> => {
  const [first, ...others] = tabs.map(({ page }) => page);
  if (first === undefined) throw new Error('no tab');
  const other = first.getByRole('main').getByRole('button', { name: 'New chain…' });
  const address = `${e2eUrl('app')}#/@development/chain`;
  for (const page of [first, ...others]) {
    const isThere = page.url() === address && (await shows(page).isVisible());
    if (!isThere || (await page.locator('dialog[open]').count()) > 0) {
      await page.goto('about:blank');
      await page.goto(address);
    }
    if (page !== first) continue;
    await expect(shows(page).or(other)).toBeVisible();
    if (await other.isVisible()) {
      await other.click();
      await page.getByRole('button', { name: 'Create and start' }).click();
    }
    await expect(shows(page)).toBeVisible();
  }
  for (const page of others) await expect(shows(page)).toBeVisible();
  await ask(first, 'dev_setSealMode', 'manual');
  await ask(first, 'dev_setFinality', 'manual');
  await ask(first, 'dev_newBlock', { count: 4 });
};

/** Why what the tab shows is not true; null if it is. */
const lie = ({ kind, id, name, listed, best, node }: Shown, deleted: boolean): string | null => {
  if (kind === 'other') return 'neither a chain nor the welcome page';
  if (kind === 'welcome') return deleted ? null : 'no chain, and none was deleted';
  if (listed === null) return `shows the chain “${id}”, which is not in the list`;
  if (name !== listed) return `shows the name “${name}” of “${listed}”`;
  return best === node ? null : `shows the best block ${best} of ${node}`;
};

const race = async (tabs: readonly Tab[], dice: () => number): Promise<void> => {
  await gather(tabs);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)] as T;
  const shuffled = tabs.map((tab) => [dice(), tab] as const).sort(([a], [b]) => a - b);
  const acting = shuffled.slice(0, 2).map(([, tab]) => ({ tab, action: pick<TabAction>(tabActions) }));
  const [one, two] = acting.map(({ tab, action }) => `${action.name} in tab ${tabs.indexOf(tab) + 1}`);
  const spread = pick([0, 20, 150, 600]);
  await test.step(`${one}, ${two}, within ${spread} ms`, async () => {
    const fires = [];
    for (const { tab, action } of acting) fires.push(await action.arm(tab.page, dice));
    const done = await Promise.all(fires.map((fire) => fire(Math.floor(dice() * spread))));
    const deleted = acting.some(({ action }, index) => action.deletes === true && done[index] === true);
    await expect(async () => {
      for (const [index, { page }] of tabs.entries()) {
        const shown = await readTab(page);
        expect(lie(shown, deleted), `tab ${index + 1}: ${shown.text.slice(0, 600)}`).toBeNull();
        if (!deleted) continue;
        expect(shown.id === 'development' && shown.kind === 'chain', `tab ${index + 1} shows it`).toBe(false);
        const names = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
        expect(names, 'stored').not.toContain('development');
      }
    }).toPass({ intervals: [100], timeout: 20_000 });
    for (const [index, { faults }] of tabs.entries())
      expect(faults, `console of tab ${index + 1}`).toEqual([]);
  });
};

for (const part of [0, 1])
  test(`tabs of a chain that delete, rename, import and move its head at once end on true pages (${part + 1} of 2)`, async ({
    context,
  }) => {
    test.setTimeout(60_000 + races * 15_000);
    const seed = firstSeed + part;
    test.info().annotations.push({ type: 'seed', description: `TABNODE_TAB_SEED=${firstSeed}` });
    const dice = createRandom(seed);
    const tabs = [await openTab(context), await openTab(context), await openTab(context)];
    for (let number = 0; number < races; number += 1)
      await test.step(`race ${number + 1}, seed ${seed}`, () => race(tabs, dice));
  });
