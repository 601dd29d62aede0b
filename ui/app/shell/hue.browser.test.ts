import { afterAll, expect, it } from 'vitest';
import '../../tokens.css';
import { paintChain } from './hue.ts';

/** WCAG 2.2, 1.4.3. */
const least = 4.5;
const inks = ['--text', '--muted', '--accent', '--ok', '--warn', '--bad'];
const papers = ['--surface', '--raised', '--sunken', '--hover', '--picked'];
const pairs = [['--on-accent', '--accent'], ...inks.flatMap((ink) => papers.map((paper) => [ink, paper]))];

const { style } = document.documentElement;
const probe = document.body.appendChild(document.createElement('i'));
const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

/** The relative luminance of a color of tokens.css as it is painted, from 0 to 1 (WCAG 2.2, §5). */
const luminance = (token: string): number => {
  if (brush === null) throw new Error('no canvas');
  probe.style.color = `var(${token})`;
  brush.fillStyle = getComputedStyle(probe).color;
  brush.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...brush.getImageData(0, 0, 1, 1).data].map((part) =>
    part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

afterAll(() => {
  style.colorScheme = '';
  style.removeProperty('--hue');
  probe.remove();
});

it.each(['light', 'dark'])('text can be read in each color that a chain can have: %s', (theme) => {
  style.colorScheme = theme;
  const hues = new Set<string>();
  const faint: string[] = [];
  for (let of = 0; of < 140; of += 1) {
    paintChain(`0x${of.toString(16).padStart(4, '0')}`);
    const hue = style.getPropertyValue('--hue');
    hues.add(hue);
    const known = new Map([...new Set(pairs.flat())].map((token) => [token, luminance(token) + 0.05]));
    for (const [ink = '', paper = ''] of pairs) {
      const [one = 1, other = 1] = [known.get(ink), known.get(paper)];
      const ratio = Math.max(one, other) / Math.min(one, other);
      if (ratio < least) faint.push(`${ink} on ${paper}, hue ${hue}: ${ratio.toFixed(2)}`);
    }
  }
  expect(faint).toEqual([]);
  expect(hues.size).toBe(140);
  // The theme is painted: its text is darker than its background in light, and the other way round in dark.
  expect(luminance('--text') < luminance('--surface')).toBe(theme === 'light');
});

it('a fork has another color than its live chain, and than a fork of another block', () => {
  const hueOf = (genesis: number, base: number | null): number => {
    const hash = (of: number) => `0x${of.toString(16).padStart(4, '0')}`;
    paintChain(hash(genesis), base === null ? null : hash(base));
    return Number(style.getPropertyValue('--hue'));
  };
  for (let genesis = 0; genesis < 280; genesis += 7) {
    const live = hueOf(genesis, null);
    const forks = Array.from({ length: 61 }, (_, base) => hueOf(genesis, base));
    expect(new Set(forks).size).toBe(61);
    for (const hue of forks) {
      const away = Math.abs(hue - live);
      expect(Math.min(away, 140 - away)).toBeGreaterThanOrEqual(40);
      expect(hue).toBeGreaterThanOrEqual(195);
      expect(hue).toBeLessThan(335);
    }
  }
});
