import { currentFrame } from './frame.ts';

/**
 * Calls `run` on Ctrl+Enter or Cmd+Enter inside the element, unless the key was handled or a dialog is open.
 * `fromMain`: also where no control of the page has the focus, as after the palette has opened a page.
 */
export const onRunKey =
  (run: () => void, fromMain = false) =>
  (element: HTMLElement): (() => void) => {
    const main = fromMain ? element.closest('main') : null;
    const listen = (event: KeyboardEvent): void => {
      if (event.currentTarget === main && event.target !== main) return;
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.defaultPrevented) return;
      if (currentFrame().root.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (!event.repeat) run();
    };
    const targets = [element, main];
    for (const one of targets) one?.addEventListener('keydown', listen);
    return () => {
      for (const one of targets) one?.removeEventListener('keydown', listen);
    };
  };
