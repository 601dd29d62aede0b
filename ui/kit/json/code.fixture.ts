import { EditorView } from '@codemirror/view';
import { flushSync } from 'svelte';
import { expect, vi } from 'vitest';

/** The editor in a part of a page, once CodeMirror has loaded. */
export const openedEditor = async (page: HTMLElement): Promise<EditorView> => {
  const find = () =>
    page.querySelector('.code')?.shadowRoot?.querySelector<HTMLElement>('.cm-content') ?? null;
  await vi.waitFor(() => expect(find()).not.toBeNull());
  const view = EditorView.findFromDOM(find() as HTMLElement);
  if (view === null) throw new Error('no editor');
  return view;
};

/** Replaces the text of an editor, as pasting over all of it would. */
export const replaceIn = (view: EditorView, text: string): void => {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'input.paste' });
  flushSync();
};
