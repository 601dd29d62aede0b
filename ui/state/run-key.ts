import { currentFrame } from './frame.ts';

/**
 * Attaches to an element: Ctrl or Cmd with Enter inside of it calls `run`. Another handler that took the key, or an open
 * dialog, keeps it, and keys pressed elsewhere in the page never come here.
 */
export const onRunKey =
  (run: () => void) =>
  (element: HTMLElement): (() => void) => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.defaultPrevented) return;
      if (currentFrame().root.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (!event.repeat) run();
    };
    element.addEventListener('keydown', listen);
    return () => element.removeEventListener('keydown', listen);
  };
