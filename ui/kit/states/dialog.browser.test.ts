import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import Dialog from './Dialog.svelte';

it('a dialog that its action removes returns the focus to the button that opened it', async () => {
  const button = document.createElement('button');
  document.body.append(button);
  onTestFinished(() => button.remove());
  button.focus();
  const children = createRawSnippet(() => ({ render: () => '<form><input></form>' }));
  const dialog = mount(Dialog, {
    target: document.body,
    props: { title: 'Add an account', onclose: () => undefined, children },
  });
  flushSync();
  expect(document.activeElement?.tagName).toBe('INPUT');
  await unmount(dialog);
  expect(document.activeElement).toBe(button);
});

it('a dialog that begins with radio buttons focuses the chosen one', async () => {
  const render = () =>
    '<form><input type="radio" name="of" value="first"><input type="radio" name="of" value="chosen" checked></form>';
  const props = {
    title: 'New chain',
    onclose: () => undefined,
    children: createRawSnippet(() => ({ render })),
  };
  const dialog = mount(Dialog, { target: document.body, props });
  flushSync();
  expect((document.activeElement as HTMLInputElement).value).toBe('chosen');
  await unmount(dialog);
});

it('a question whose answer removes the row that asked leaves the focus in the dialog around it', async () => {
  const children = createRawSnippet(() => ({ render: () => '<form><button>Delete</button></form>' }));
  const props = { title: 'Your chains', onclose: () => undefined, children };
  const around = mount(Dialog, { target: document.body, props });
  flushSync();
  const row = document.querySelector<HTMLElement>('.body button');
  row?.focus();
  const question = mount(Dialog, { target: document.body, props: { ...props, title: 'Delete it?' } });
  flushSync();
  row?.remove();
  await unmount(question);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Your chains');
  await unmount(around);
});

it('a dialog closes when Back leads away from what it asks about, unless work runs in it', async () => {
  for (const locked of [false, true]) {
    const closed = vi.fn();
    const children = createRawSnippet(() => ({ render: () => '<p>Roll back?</p>' }));
    const props = { title: 'Roll back', onclose: closed, locked, children };
    const dialog = mount(Dialog, { target: document.body, props });
    flushSync();
    dispatchEvent(new PopStateEvent('popstate'));
    expect(closed).toHaveBeenCalledTimes(locked ? 0 : 1);
    await unmount(dialog);
  }
});
