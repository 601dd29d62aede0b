import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Rules that depend on the theme. All others check the same page in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * The faults that axe finds. Its source is large, so it is sent to each document only once, and only the
 * faults are returned.
 */
const runAxe = async (page: Page, options: RunOptions, within = ':root'): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(
    async ([part, given]) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run(part, { ...given, resultTypes: ['violations'] });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
      );
    },
    [within, options] as const,
  );
};

/** Targets smaller than 24 px in a part of the page. */
export const findSmallTargets = (page: Page, within: string): Promise<readonly string[]> =>
  runAxe(page, { runOnly: { type: 'rule', values: ['target-size'] } }, within);

const bothThemes = ['light', 'dark'] as const;

/**
 * What axe finds in the page in each of the themes, of which the dark one is checked for its colors alone. With `targets`, also
 * targets smaller than 24 px (WCAG 2.2 AA), which axe does not check by default.
 */
export const findFaults = async (
  page: Page,
  targets = false,
  themes: readonly ('light' | 'dark')[] = bothThemes,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const scope: RunOptions =
      colorScheme === 'dark'
        ? { runOnly: { type: 'rule', values: colorRules } }
        : { rules: { 'target-size': { enabled: targets } } };
    const faults = await runAxe(page, scope);
    found.push(...faults.map((fault) => `${colorScheme} ${fault}`));
  }
  return found;
};

/** Expects axe to find no accessibility fault in the page, in light and in dark. */
export const expectAccessible = async (page: Page, where = ''): Promise<void> =>
  expect(await findFaults(page), where).toEqual([]);
