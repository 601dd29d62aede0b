import { pressedIn } from '../../../kit/page/keys.ts';

const arrows = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const;

/** The step that a key means in the block list; null for other keys, or if another element has the focus. */
export const readWalk = (event: KeyboardEvent): (typeof arrows)[keyof typeof arrows] | 'open' | null => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = pressedIn(event);
  // The target is the body if no element has the focus. Embedded devtools do not receive such keys.
  if (target !== document.body && !target?.closest('[data-tree]')) return null;
  return event.key === 'Enter' ? 'open' : (arrows[event.key as keyof typeof arrows] ?? null);
};
