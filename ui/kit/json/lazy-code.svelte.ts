import { untrack } from 'svelte';
import type { Code, CodeProps } from './codemirror.ts';

/** CodeMirror, which is loaded with the first editor or JSON text. Until then, and without it, a plain element is in its place. */
export type LazyCode = {
  readonly isOpen: boolean;
  /** Whether it could not be loaded. */
  readonly hasFailed: boolean;
  /** Opens the search panel. */
  readonly find: () => void;
  /** Opens it in an element. A field in that element, such as a `textarea`, hands over its focus and its selection. */
  readonly attach: (parent: HTMLElement) => () => void;
};

export const createLazyCode = (props: () => CodeProps): LazyCode => {
  let code = $state.raw<Code | null>(null);
  let hasFailed = $state(false);
  const attach = (parent: HTMLElement): (() => void) => {
    const ended = new AbortController();
    const { signal } = ended;
    let isComposing = false;
    let open = (): void => undefined;
    parent.addEventListener('compositionstart', () => (isComposing = true), { signal });
    parent.addEventListener(
      'compositionend',
      () => {
        isComposing = false;
        queueMicrotask(open);
      },
      { signal },
    );
    void import('./codemirror.ts').then(
      ({ openCode }) => {
        open = () => {
          // What an input method composes would be lost.
          if (signal.aborted || isComposing || untrack(() => code) !== null) return;
          const field = parent.querySelector('textarea');
          const isFocused = field?.matches(':focus') ?? false;
          code = openCode(parent, untrack(props));
          if (field !== null && isFocused) code.focus(field.selectionStart, field.selectionEnd);
        };
        open();
      },
      () => {
        hasFailed = true;
      },
    );
    $effect(() => {
      const next = props();
      code?.show(next);
    });
    return () => {
      ended.abort();
      untrack(() => code)?.close();
      code = null;
    };
  };
  return {
    get isOpen() {
      return code !== null;
    },
    get hasFailed() {
      return hasFailed;
    },
    find: () => code?.find(),
    attach,
  };
};
