import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules that depend on the theme. All others check the same page in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds in the page in light and in dark. With `targets`, also targets smaller than 24 px (WCAG 2.2
 * AA), which axe does not check by default.
 */
export const findFaults = async (page: Page, targets = false): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Legacy mode, because the page has no frames, for which axe would open a new page each time.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (colorScheme === 'dark') axe.withRules(colorRules);
    else axe.options({ rules: { 'target-size': { enabled: targets } } });
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }
  return found;
};

/** Expects axe to find no accessibility fault in the page, in light and in dark. */
export const expectAccessible = async (page: Page, where = ''): Promise<void> =>
  expect(await findFaults(page), where).toEqual([]);
