import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
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
