import { currentFrame } from '../state/frame.ts';

/** Named parts of the page: lists, the page of what is picked in them, and what stands in it. */
const partSelector = ':is(main, [role=main]) :is(nav, aside, section, ul, ol, [role=grid])[aria-label]';

/** Moves the focus to the next named part, past all links of the list that has it; from the last one to the first. */
export const focusNextPart = (): void => {
  const { root } = currentFrame();
  const parts = [...root.querySelectorAll<HTMLElement>(partSelector)].filter((one) => one.checkVisibility());
  const now = root.activeElement;
  const next = parts[(parts.findLastIndex((one) => one.contains(now)) + 1) % parts.length];
  if (next === undefined) return;
  // Part of no tab order, so that Tab goes on from there as ever.
  if (next.tabIndex < 0) next.tabIndex = -1;
  next.focus();
};
