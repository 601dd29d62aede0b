import { currentFrame } from './frame.ts';

/** Calls `run` on Ctrl+Enter or Cmd+Enter inside the element, unless the key was handled or a dialog is open. */
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
