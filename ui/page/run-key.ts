import { currentFrame } from './frame.ts';

/**
 * Attachment that calls `run` on Ctrl+Enter or Cmd+Enter inside the element, unless another handler has
 * handled the key or a dialog is open. Keys pressed elsewhere in the page have no effect.
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
