import { acceptCompletion } from '@codemirror/autocomplete';
import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../tokens.css';
import '../../base.css';
import { mountIn, openContext, press, typeIn, widen } from '../../testing/open-page.ts';
import { openedEditor, replaceIn } from './code.fixture.ts';
import JsonEditor from './JsonEditor.svelte';
import JsonView from './JsonView.svelte';
import type { JsonMark } from './json-mark.ts';

const schema = {
  type: 'array',
  items: [{ type: 'object', properties: { count: { type: 'integer' }, finalize: { type: 'boolean' } } }],
};

const open = () => {
  const changes: string[] = [];
  const props = $state({
    value: '',
    label: 'params',
    hint: '["0x…"]',
    marks: [] as readonly JsonMark[],
    invalid: false,
    schema: () => schema,
    onchange: (text: string) => {
      changes.push(text);
      props.value = text;
    },
  });
  const page = mountIn(openContext(() => null).context, JsonEditor, props);
  widen(page, 600);
  return { page, props, changes };
};
const rootOf = (page: HTMLElement) => page.querySelector('.code')?.shadowRoot as ShadowRoot;

it('what is typed before the editor has loaded stays, with the focus and the selection', async () => {
  const { page, changes } = open();
  const field = page.querySelector('textarea');
  typeIn(field, '[1, 2');
  field?.focus();
  field?.setSelectionRange(2, 4);
  const view = await openedEditor(page);
  expect(page.querySelector('textarea')).toBeNull();
  expect(view.state.doc.toString()).toBe('[1, 2');
  expect(view.hasFocus).toBe(true);
  expect([view.state.selection.main.from, view.state.selection.main.to]).toEqual([2, 4]);
  await userEvent.keyboard('7');
  expect(changes.at(-1)).toBe('[172');
});

it('waits for the end of a composition, which a change of the field would end', async () => {
  const { page } = open();
  const field = page.querySelector('textarea');
  field?.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
  await import('./codemirror.ts');
  await new Promise((resolve) => setTimeout(resolve));
  expect(page.querySelector('textarea')).toBe(field);
  field?.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  await openedEditor(page);
});

it('undo takes back what was typed, but not what was set from outside', async () => {
  const { page, props, changes } = open();
  const view = await openedEditor(page);
  view.focus();
  await userEvent.keyboard('12');
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(changes.at(-1)).toBe('');
  await userEvent.keyboard('5');
  props.value = '"secret"';
  flushSync();
  expect(view.state.doc.toString()).toBe('"secret"');
  props.value = '';
  flushSync();
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(view.state.doc.toString()).toBe('');
  // Setting a text is no change of the user's.
  expect(changes.at(-1)).toBe('5');
});

it('Ctrl+Enter, Tab and Escape are the page’s', async () => {
  const { page } = open();
  const after = document.createElement('button');
  page.append(after);
  const view = await openedEditor(page);
  const pressed: [string, boolean][] = [];
  const listen = (event: KeyboardEvent) => pressed.push([event.key, event.defaultPrevented]);
  addEventListener('keydown', listen);
  onTestFinished(() => removeEventListener('keydown', listen));
  view.focus();
  await userEvent.keyboard('{Control>}{Enter}{/Control}{Escape}{Tab}');
  expect(view.state.doc.toString()).toBe('');
  expect(pressed.filter(([key]) => key !== 'Control')).toEqual([
    ['Enter', false],
    ['Escape', false],
    ['Tab', false],
  ]);
  expect(document.activeElement).toBe(after);
});

it('suggests names and words of the schema while typing, and enters them with their quotes', async () => {
  const { page, changes } = open();
  const view = await openedEditor(page);
  const options = () => [...rootOf(page).querySelectorAll('[role="option"]')].map((one) => one.textContent);
  view.focus();
  await userEvent.keyboard('[[{{"');
  await vi.waitFor(() => expect(options()).toEqual(['countinteger', 'finalizeboolean']));
  await userEvent.keyboard('fi');
  await vi.waitFor(() => expect(options()).toEqual(['finalizeboolean']));
  // As Enter does, which is ignored for a moment after the list has opened.
  await vi.waitFor(() => expect(acceptCompletion(view)).toBe(true));
  expect(changes.at(-1)).toBe('[{"finalize": }]');
  await userEvent.keyboard('t');
  await vi.waitFor(() => expect(options()).toEqual(['true']));
  await userEvent.keyboard('{Escape}');
  expect(options()).toEqual([]);
  expect(view.hasFocus).toBe(true);
});

it('underlines an error at its place, and says it to screen readers', async () => {
  const { page, props } = open();
  const view = await openedEditor(page);
  replaceIn(view, '[{"count": "x"}, 2]');
  props.invalid = true;
  props.marks = [{ path: [0, 'count'], text: 'count: expected a whole number', tone: 'warn' }];
  flushSync();
  const marked = () => [...rootOf(page).querySelectorAll('.cm-lintRange')].map((one) => one.textContent);
  expect(marked()).toEqual(['"x"']);
  const name = (attribute: string) => view.contentDOM.getAttribute(attribute);
  expect([name('aria-label'), name('aria-invalid'), name('aria-description')]).toEqual([
    'params',
    'true',
    'count: expected a whole number',
  ]);
  props.value = '[{"count": null}]';
  flushSync();
  expect(marked()).toEqual(['null']);
  props.marks = [];
  flushSync();
  expect(marked()).toEqual([]);
});

const show = (text: string) => {
  const page = mountIn(openContext(() => null).context, JsonView, {
    face: 'raw',
    value: null,
    text: () => text,
    label: 'Raw JSON',
  });
  widen(page, 600);
  return page;
};

it('a text of megabytes is shown in part, searched and folded as a whole, and not changed', async () => {
  const items = Array.from({ length: 40_000 }, (_, index) => ({
    index,
    hash: `0x${'ab'.repeat(32)}`,
    ok: true,
  }));
  const text = JSON.stringify(items, null, 2);
  expect(text.length).toBeGreaterThan(4_000_000);
  const page = show(text);
  const view = await openedEditor(page);
  expect(view.state.doc.length).toBe(text.length);
  expect(view.contentDOM.textContent.length).toBeLessThan(20_000);
  press(page, 'Find…');
  await userEvent.keyboard('39999{Enter}');
  const { from, to } = view.state.selection.main;
  expect(view.state.sliceDoc(from - 9, to)).toBe('"index": 39999');
  expect(rootOf(page).querySelector('[name="replace"]')).toBeNull();
  await userEvent.keyboard('{Escape}x');
  expect(view.state.doc.toString()).toBe(text);
  await userEvent.keyboard('{Control>}{Home}{/Control}');
  const lines = () =>
    [...view.contentDOM.querySelectorAll('.cm-line')].slice(0, 3).map((one) => one.textContent);
  await vi.waitFor(() => expect(lines()).toEqual(['[', '  {', '    "index": 0,']));
  const fold = () => rootOf(page).querySelector<HTMLElement>('.cm-foldGutter [title="Fold line"]');
  await vi.waitFor(() => expect(fold()).not.toBeNull());
  fold()?.click();
  expect(lines()).toEqual(['[', '  {…},', '  {']);
});

it('a text that changes a little keeps what is folded; another one is shown from its start', async () => {
  const text = (count: number) => JSON.stringify({ first: { a: 1, b: 2 }, count }, null, 2);
  const shown = $state({ text: text(1) });
  const props = { face: 'raw' as const, value: null, text: () => shown.text, label: 'JSON' };
  const page = mountIn(openContext(() => null).context, JsonView, props);
  widen(page, 600);
  const view = await openedEditor(page);
  const fold = () => rootOf(page).querySelectorAll<HTMLElement>('.cm-foldGutter [title="Fold line"]')[1];
  await vi.waitFor(() => expect(fold()).toBeDefined());
  fold()?.click();
  expect(view.contentDOM.textContent).toContain('"first": {…}');
  shown.text = text(2);
  flushSync();
  expect(view.contentDOM.textContent).toBe('{  "first": {…},  "count": 2}');
  shown.text = '[]';
  flushSync();
  expect(view.contentDOM.textContent).toBe('[]');
});

it('of a line of millions of characters, only a part is in the page', async () => {
  const view = await openedEditor(show(`"0x${'ab'.repeat(2_500_000)}"`));
  // CodeMirror measures, and draws again, in the next frame.
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  const { length } = view.contentDOM.textContent;
  expect(length).toBeGreaterThan(1000);
  expect(length).toBeLessThan(100_000);
});

it('a longer text is plain, and says so', async () => {
  await import('./codemirror.ts');
  const page = show('1'.repeat(20_000_001));
  await new Promise((resolve) => setTimeout(resolve));
  expect(page.querySelector('.code')).toBeNull();
  expect(page.textContent).toContain('Shown as plain text: 20.0 MB are too much for folding and search.');
  expect(page.querySelector('section')?.textContent).toHaveLength(100_000);
});
