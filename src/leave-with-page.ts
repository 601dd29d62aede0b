import { NodeError } from './protocol/errors.ts';

type Page = Pick<EventTarget, 'addEventListener'>;

const left = (): NodeError => new NodeError('ChainInUse', 'The page was left, and its node ended with it');

/**
 * A browser keeps a page that was left, with its worker and its connections, in case its user goes back to it. Peers would wait
 * for a node that does not answer any more, so its worker ends at once. Callers learn of it if the page is shown again.
 */
export const leaveWithPage = (
  host: { terminate(): void },
  end: (reason: NodeError) => void,
  signal: AbortSignal,
): void => {
  const page = globalThis as Partial<Page>;
  const isKept = (event: Event): boolean => 'persisted' in event && event.persisted === true;
  const hide = (event: Event): void => {
    if (!isKept(event)) return;
    host.terminate();
    page.addEventListener?.('pageshow', () => end(left()), { once: true, signal });
  };
  page.addEventListener?.('pagehide', hide, { signal });
};
