import fc from 'fast-check';
import { expect, it } from 'vitest';
import '../tokens.css';
import '../base.css';
import { toHex } from '../../src/scale/hex.ts';
import { mountIn, openContext, press, typeIn } from '../testing/open-page.ts';
import { following } from '../testing/value-props.svelte.ts';
import BytesInput from './BytesInput.svelte';

const open = (value: string) => {
  const { props, changes } = following(value, { label: 'data', count: null });
  const page = mountIn(openContext(() => null).context, BytesInput, props);
  const button = [...page.querySelectorAll('button')].find(
    ({ textContent }) => textContent.trim() === 'text',
  );
  const field = () => page.querySelector<HTMLInputElement>('[aria-label="data"]');
  return { page, changes, button, field, now: () => changes.at(-1) ?? value };
};

/** Pieces that are often lost: not UTF-8, line ends, a byte order mark, invisible and replacement characters. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 6 }),
  fc
    .constantFrom('a', 'é', '🙂', '\n', '\r', '\r\n', '\t', '\ufeff', '\ufffd', '\u202e', '\0')
    .map((text) => new TextEncoder().encode(text)),
);
const bytes = fc
  .array(piece, { maxLength: 6 })
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

it('whatever the bytes are, switching to text and back never changes them, nor does typing a letter and deleting it', () => {
  let texts = 0;
  fc.assert(
    fc.property(bytes, (of) => {
      const value = toHex(of);
      const { page, button, field, now } = open(value);
      if (button?.disabled) return;
      texts += 1;
      press(page, 'text');
      const shown = field()?.value ?? '';
      typeIn(field(), `${shown}x`);
      expect(now()).toBe(`${value}78`);
      typeIn(field(), shown);
      press(page, 'text');
      expect([now(), field()?.value]).toEqual([value, value]);
    }),
    { seed: 5, numRuns: 300 },
  );
  expect(texts).toBeGreaterThan(50);
});

it('bytes that are no text are not offered as text, with the reason', () => {
  for (const value of ['0xff0a41', '0xefbbbf41', '0x610d0a62', '0x00', '0xe280ae']) {
    const { page, button } = open(value);
    expect(button?.disabled).toBe(true);
    const reason = page.querySelector(`[id="${button?.getAttribute('aria-describedby')}"]`)?.textContent;
    expect(reason).toContain('not text');
    expect(button?.title).toBe(reason);
  }
  expect(open(`0x${'61'.repeat(20_000)}`).button?.title).toContain('up to 16');
});

it('lines are kept, and text that was typed stays, even if some of it is not visible', () => {
  const { page, field, now, button } = open('0x610a62');
  press(page, 'text');
  expect([field()?.tagName, field()?.value]).toEqual(['TEXTAREA', 'a\nb']);
  typeIn(field(), 'a\nb\tc\u200d');
  expect(now()).toBe('0x610a620963e2808d');
  expect(field()?.value).toBe('a\nb\tc\u200d');
  press(page, 'text');
  expect(field()?.value).toBe('0x610a620963e2808d');
  expect(button?.disabled).toBe(false);
});

it('bytes that are typed are not taken for text when they are one on the way', () => {
  const { page, field, now } = open('0x61');
  press(page, 'text');
  press(page, 'text');
  for (const typed of ['0xff', '0x', '0x41']) typeIn(field(), typed);
  expect([now(), field()?.value, field()?.tagName]).toEqual(['0x41', '0x41', 'INPUT']);
});
