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
  const listen = (event: KeyboardEvent): void => {
    // An open sheet has the keyboard: Escape closes it.
    if (document.querySelector('dialog[open]')) return;
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
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
};
