import { tick } from 'svelte';
import { currentFrame } from '../page/frame.ts';

const focusable = 'main, button, input, select, textarea';

/**
 * Focuses what is now in this place of a list, or else its last row, so that a change of the list does not lose the focus; of a
 * list that has gone, the page.
 */
export const focusRow = async (list: Element | null, at: number): Promise<void> => {
  await tick();
  const row = list?.isConnected
    ? (list.children[at] ?? list.lastElementChild)
    : currentFrame().root.querySelector('main');
  const found = row?.matches(focusable) ? row : row?.querySelector(focusable);
  (found as HTMLElement | null | undefined)?.focus();
};
