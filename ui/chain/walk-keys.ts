const arrows = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const;

/** What a key means to the tree; null for other keys, and while anything but the tree has the focus. */
export const readWalk = (event: KeyboardEvent): (typeof arrows)[keyof typeof arrows] | 'open' | null => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const at = document.activeElement;
  if (at !== document.body && !at?.closest('[data-tree]')) return null;
  return event.key === 'Enter' ? 'open' : (arrows[event.key as keyof typeof arrows] ?? null);
};
