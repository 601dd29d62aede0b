import { currentFrame } from '../state/frame.ts';

/** Single keys and what they do; a name is `KeyboardEvent.key`. */
export type KeyActions = Readonly<Record<string, () => void>>;

const offKey = 'tabnode.keys';

/** Whether letters, digits and punctuation do something on their own: speech input types them by accident. */
export const hasSingleKeys = (): boolean => localStorage.getItem(offKey) !== 'off';

/** Keeps the choice only when it differs from the usual one. */
export const chooseSingleKeys = (on: boolean): void => {
  if (on) localStorage.removeItem(offKey);
  else localStorage.setItem(offKey, 'off');
};

/** The element a key was pressed in, also when it lies in a shadow root. */
export const pressedIn = (event: KeyboardEvent): Element | null => {
  const [target] = event.composedPath();
  return target instanceof Element ? target : null;
};

const isTyping = (target: Element | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/**
 * Listens to single keys until the returned function is called; silent while somebody types, while a modifier is
 * held and while a dialog is open. The newest listener that knows a key takes it. With `within`, a selector, only keys
 * pressed in such an element count: for what changes the chain.
 */
export const onKeys = (actions: KeyActions, within?: string): (() => void) => {
  const { keys } = currentFrame();
  const listen = (heard: Event): void => {
    const event = heard as KeyboardEvent;
    // An open sheet has the keyboard: Escape closes it.
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
