import { currentFrame } from '../state/frame.ts';

/** Single keys and what they do; a name is `KeyboardEvent.key`. */
export type KeyActions = Readonly<Record<string, () => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/**
 * Listens to single keys until the returned function is called; silent while somebody types, while a modifier is
 * held and while a dialog is open. The newest listener that knows a key takes it.
 */
export const onKeys = (actions: KeyActions): (() => void) => {
  const { keys } = currentFrame();
  const listen = (heard: Event): void => {
    const event = heard as KeyboardEvent;
    // An open sheet has the keyboard: Escape closes it.
    if (currentFrame().root.querySelector('dialog[open]')) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // The field itself, also when it lies in a shadow root.
    const target = event.composedPath()[0] ?? null;
    if (isTyping(target)) {
      if (event.key === 'Escape') (target as HTMLElement).blur();
      return;
    }
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  keys.addEventListener('keydown', listen);
  return () => keys.removeEventListener('keydown', listen);
};
