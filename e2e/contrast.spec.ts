import { expect, test } from '@playwright/test';

/** WCAG 2.2, 1.4.3. */
const least = 4.5;

/** Runs in the page: pairs of tokens with insufficient contrast, with the chain's hue and the ratio. */
const findFaint = (wanted: number): readonly string[] => {
  const root = document.documentElement;
  const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const probe = document.body.appendChild(document.createElement('i'));
  const luminance = (token: string): number => {
    probe.style.color = `var(${token})`;
    if (brush === null) throw new Error('no canvas');
    brush.fillStyle = getComputedStyle(probe).color;
    brush.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...brush.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const inks = ['--text', '--muted', '--accent', '--ok', '--warn', '--bad'];
  const papers = ['--surface', '--raised', '--sunken', '--hover', '--picked'];
  const pairs = [['--on-accent', '--accent'], ...inks.flatMap((ink) => papers.map((paper) => [ink, paper]))];
  const faint: string[] = [];
  // Every hue that a chain can have (ui/shell/hue.ts).
  for (let hue = 195; hue < 335; hue++) {
    root.style.setProperty('--hue', String(hue));
    const known = new Map([...new Set(pairs.flat())].map((token) => [token, luminance(token) + 0.05]));
    for (const [ink = '', paper = ''] of pairs) {
      const [one = 1, other = 1] = [known.get(ink), known.get(paper)];
      const found = Math.max(one, other) / Math.min(one, other);
      if (found < wanted) faint.push(`${ink} on ${paper}, hue ${hue}: ${found.toFixed(2)}`);
    }
  }
  return faint;
};

test('whatever the colour of the chain, its words can be read, in light and in dark', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect.soft(await page.evaluate(findFaint, least), colorScheme).toEqual([]);
  }
});
