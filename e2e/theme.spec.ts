import { expect, type Page, test } from '@playwright/test';
import { e2eUrl } from './ports.ts';
import { paintedTheme } from './support.ts';

const schemes = ['light', 'dark'] as const;

/** Selects each theme under each system theme, and checks the painted colors. */
const expectPainted = async (page: Page): Promise<void> => {
  const bar = page.locator('header').first();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const choice of ['dark', 'light', 'system'] as const) {
      await page.getByLabel('Theme').selectOption(choice);
      const wanted = choice === 'system' ? colorScheme : choice;
      await expect
        .poll(() => paintedTheme(bar), { message: `${choice} on a ${colorScheme} system` })
        .toBe(wanted);
    }
  }
};

test('the theme that is chosen is painted, whatever the system has, in all windows, after a reload, and embedded', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#/);
  await expectPainted(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByLabel('Theme').selectOption('dark');
  await page.reload();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#/);
  expect(await paintedTheme(page.getByRole('banner'))).toBe('dark');

  await test.step('the palette, the bar and a detached window agree about the theme', async () => {
    await page.getByLabel('Theme').selectOption('system');
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open this panel in its own window' }).click();
    const own = await opened;
    await own.emulateMedia({ colorScheme: 'light' });
    await expect(own.getByLabel('Theme')).toHaveValue('system', { timeout: 15_000 });
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('theme dark');
    await page.getByRole('option', { name: 'Theme: dark' }).click();
    for (const window of [page, own]) {
      await expect(window.getByLabel('Theme')).toHaveValue('dark');
      await expect.poll(() => paintedTheme(window.getByRole('banner'))).toBe('dark');
    }
    await own.getByLabel('Theme').selectOption('system');
    await expect(page.getByLabel('Theme')).toHaveValue('system');
    await expect.poll(() => paintedTheme(page.getByRole('banner'))).toBe('light');
    await own.close();
  });

  await test.step('embedded devtools paint the theme that is chosen', async () => {
    await page.goto(`${e2eUrl('pages')}devtools.html`);
    await page.getByRole('button', { name: 'Tabnode' }).click();
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#0');
    await expectPainted(page);
  });
});
