import { pressedIn } from '../shell/keys.ts';

const arrows = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const;

/** What a key means to the tree; null for other keys, and where anything but the tree has the focus. */
export const readWalk = (event: KeyboardEvent): (typeof arrows)[keyof typeof arrows] | 'open' | null => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = pressedIn(event);
  // Nothing has the focus in a page of one's own; embedded devtools do not hear such keys at all.
  if (target !== document.body && !target?.closest('[data-tree]')) return null;
  return event.key === 'Enter' ? 'open' : (arrows[event.key as keyof typeof arrows] ?? null);
};
