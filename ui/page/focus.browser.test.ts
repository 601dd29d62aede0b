import { expect, it, onTestFinished } from 'vitest';
import { rememberFocus } from './focus.ts';

const show = (html: string): HTMLElement => {
  const page = document.createElement('div');
  page.innerHTML = html;
  document.body.append(page);
  onTestFinished(() => page.remove());
  return page;
};

it('a focus that is lost goes to the innermost part around it that is left, and any other stays', () => {
  const page = show(
    '<main><article><section><p><a href="#x">x</a></p></section><button>y</button></article></main>',
  );
  const [link, button] = [page.querySelector('a'), page.querySelector('button')];
  link?.focus();
  const back = rememberFocus();
  back();
  expect(document.activeElement).toBe(link);
  page.querySelector('section')?.remove();
  expect(document.activeElement).toBe(document.body);
  back();
  expect(document.activeElement?.localName).toBe('article');
  button?.focus();
  const again = rememberFocus();
  page.querySelector('article')?.remove();
  again();
  expect(document.activeElement?.localName).toBe('main');
});
