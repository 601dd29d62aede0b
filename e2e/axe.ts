import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What a theme can change: all other rules look at the same page in both. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds in the page as it stands, in light and in dark; with `targets` also what is smaller than 24 px to hit (WCAG
 * 2.2 AA), which axe does not look at by itself.
 */
export const findFaults = async (page: Page, targets = false): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Legacy: the page has no frames, for which axe would open a page of its own each time.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (colorScheme === 'dark') axe.withRules(colorRules);
    else axe.options({ rules: { 'target-size': { enabled: targets } } });
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }
  return found;
};

/** The page as it stands has no accessibility fault that axe can find, in light and in dark. */
export const expectAccessible = async (page: Page, where = ''): Promise<void> =>
  expect(await findFaults(page), where).toEqual([]);
