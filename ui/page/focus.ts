import { currentFrame } from './frame.ts';

/**
 * Whether nothing has the focus, because the element that had it is gone or was disabled. Within a shadow root, the
 * document's own active element is the element around it.
 */
export const isFocusLost = (): boolean =>
  currentFrame().root.activeElement?.matches('body, :disabled') ?? true;

/** Focuses a part of the page, which stays out of the tab order, so that Tab goes on from there. */
export const focusPart = (part: HTMLElement, options?: FocusOptions): void => {
  if (part.tabIndex < 0) part.tabIndex = -1;
  part.focus(options);
};

/** What may take a focus that is lost. */
const places = 'dialog, article, section, nav, aside, main';

/**
 * Remembers what is around the focus. The returned function moves the focus to the innermost of these that is still there, if
 * the focused element is gone: a link in a list that its page replaces.
 */
export const rememberFocus = (): (() => void) => {
  const around: HTMLElement[] = [];
  const closest = (element: Element | null | undefined) => element?.closest<HTMLElement>(places);
  for (let one = closest(currentFrame().root.activeElement); one; one = closest(one.parentElement))
    around.push(one);
  return () => {
    const next = isFocusLost() ? around.find((one) => one.checkVisibility()) : undefined;
    if (next !== undefined) focusPart(next, { preventScroll: true });
  };
};
