import type { Place } from '../state/route.svelte.ts';

type KeyDeps = {
  readonly onview: (view: Place['view']) => void;
  readonly onstep: (by: number) => void;
  readonly onseal: () => void;
  readonly onpause: () => void;
  readonly onhelp: () => void;
  readonly onclose: () => void;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName));

/** The page's single keys; silent while somebody types or a modifier is held. */
export const createKeys = (deps: KeyDeps): ((event: KeyboardEvent) => void) => {
  const actions: Readonly<Record<string, () => void>> = {
    '/': () => document.querySelector<HTMLInputElement>('[data-slash]')?.focus(),
    '1': () => deps.onview('chain'),
    '2': () => deps.onview('rpc'),
    j: () => deps.onstep(-1),
    k: () => deps.onstep(1),
    s: deps.onseal,
    p: deps.onpause,
    '?': deps.onhelp,
    Escape: deps.onclose,
  };
  return (event) => {
    // An open sheet has the keyboard: Escape closes it.
    if (document.querySelector('dialog[open]')) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
};
