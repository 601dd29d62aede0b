import { focusPart } from './focus.ts';
import { currentFrame } from './frame.ts';

/** Named regions of the page: lists, detail panes and their sections. */
const partSelector = ':is(main, [role=main]) :is(nav, aside, section, ul, ol, [role=grid])[aria-label]';

/** Moves the focus to the next named region, past the remaining links of the current one. Wraps around. */
export const focusNextPart = (): void => {
  const { root } = currentFrame();
  const parts = [...root.querySelectorAll<HTMLElement>(partSelector)].filter((one) => one.checkVisibility());
  const now = root.activeElement;
  const next = parts[(parts.findLastIndex((one) => one.contains(now)) + 1) % parts.length];
  if (next !== undefined) focusPart(next);
};
