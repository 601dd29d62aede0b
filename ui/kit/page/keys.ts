import { currentFrame } from './frame.ts';

/** Actions by key, named as in `KeyboardEvent.key`. */
export type KeyActions = Readonly<Record<string, () => void>>;

const offKey = 'tabnode.keys';

/** Whether single-character shortcuts are on; speech input can trigger them by accident. */
export const hasSingleKeys = (): boolean => localStorage.getItem(offKey) !== 'off';

/** Stores the choice only if it differs from the default. */
export const chooseSingleKeys = (on: boolean): void => {
  if (on) localStorage.removeItem(offKey);
  else localStorage.setItem(offKey, 'off');
};

/** The element that a key was pressed in, even if it is inside a shadow root. */
export const pressedIn = (event: Event): Element | null => {
  const [target] = event.composedPath();
  return target instanceof Element ? target : null;
};

/** Whether keys pressed in this element are text or choices of its own. */
export const isTyping = (target: Element | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/**
 * Listens for single keys until the returned function is called. Keys are ignored while the user types, holds
 * a modifier or has a dialog open. Of several listeners with an action for a key, the one added first handles
 * it. With `within`, a selector, only keys pressed inside a matching element count, for actions that change
 * the chain.
 */
export const onKeys = (actions: KeyActions, within?: string): (() => void) => {
  const { keys } = currentFrame();
  const listen = (pressed: Event): void => {
    const event = pressed as KeyboardEvent;
    // An open dialog handles the keyboard itself: Escape closes it.
    if (currentFrame().root.querySelector('dialog[open]')) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = pressedIn(event);
    if (isTyping(target)) {
      if (event.key === 'Escape') (target as HTMLElement).blur();
      return;
    }
    const act = actions[event.key];
    if (!act || (event.key.length === 1 && !hasSingleKeys())) return;
    if (within !== undefined && !target?.closest(within)) return;
    event.preventDefault();
    act();
  };
  keys.addEventListener('keydown', listen);
  return () => keys.removeEventListener('keydown', listen);
};
