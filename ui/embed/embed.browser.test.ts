import { expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { TabNode } from '../../src/index.ts';
import { mountDevtools } from '../embed.ts';
import { onKeys } from '../kit/page/keys.ts';
import { chooseTheme } from '../kit/page/theme.svelte.ts';

/** The devtools, and two parts of them: a field, and a text that can have the focus. */
const open = () => {
  const element = document.createElement('div');
  document.body.append(element);
  const node = { connect: () => new Promise(() => undefined) } as unknown as TabNode;
  const devtools = mountDevtools(element, node);
  const host = element.firstElementChild as HTMLElement;
  const [field, text] = [document.createElement('textarea'), document.createElement('button')];
  host.shadowRoot?.append(field, text);
  onTestFinished(() => {
    devtools.close();
    element.remove();
  });
  return { host, field, text };
};

const events = ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'cut', 'copy', 'paste'] as const;

it('the host page gets no key that is typed in a field of the devtools or that they handle, and all others', async () => {
  const { field, text } = open();
  const heard: string[] = [];
  const hear = (event: Event) => heard.push(`${event.type} ${(event as KeyboardEvent).key ?? ''}`.trim());
  for (const type of events) document.addEventListener(type, hear);
  onTestFinished(() => {
    for (const type of events) document.removeEventListener(type, hear);
  });
  const handled: string[] = [];
  onTestFinished(onKeys({ s: () => handled.push('s'), f: () => field.focus() }));

  field.focus();
  await userEvent.keyboard('sea?{Enter}{Control>}a{/Control}{Control>}c{/Control}{Control>}x{/Control}');
  await userEvent.keyboard('{Control>}v{/Control}');
  expect(field.value).toBe('sea?\n');
  expect(heard).toEqual([]);

  text.focus();
  await userEvent.keyboard('s{Enter} ');
  expect(handled).toEqual(['s']);
  // Its key goes up in the field.
  await userEvent.keyboard('f');
  expect(heard).toEqual([]);

  text.focus();
  await userEvent.keyboard('x');
  expect(heard).toEqual(['keydown x', 'keypress x', 'keyup x']);
});

it('what the host page sets for its own text changes nothing in the devtools', () => {
  const { host, field, text } = open();
  const look = () =>
    [host, field, text, host.shadowRoot?.firstElementChild].map((of) =>
      Object.fromEntries(
        [...getComputedStyle(of as Element)].map((name) => [
          name,
          getComputedStyle(of as Element).getPropertyValue(name),
        ]),
      ),
    );
  const before = look();
  const page = document.createElement('style');
  page.textContent = `body, div { text-align: center; text-transform: uppercase; letter-spacing: 3px; word-spacing: 1em; text-indent: 9px;
    word-break: break-all; text-shadow: 1px 1px red; white-space: pre; user-select: none; -webkit-text-fill-color: red; cursor: wait;
    font: italic small-caps 900 30px/3 serif; direction: rtl; hyphens: auto; tab-size: 1; list-style: square; pointer-events: none;
    color: red; color-scheme: dark; border-spacing: 9px; quotes: none; text-wrap: nowrap; caption-side: bottom }`;
  document.head.append(page);
  onTestFinished(() => page.remove());
  expect(look()).toEqual(before);
  expect(before[0]?.['color-scheme']).toBe('light dark');
  chooseTheme('dark');
  chooseTheme('system');
  expect(look()).toEqual(before);
});
