import { maxItemsHeld, maxItemsWaiting } from '../../../src/protocol/limits.ts';
import type { SubscriptionEntry } from '../../../src/protocol/rpc/define.ts';
import type { Sink } from '../handlers.ts';

type OpenOptions = Pick<SubscriptionEntry, 'event' | 'maxWaiting' | 'lastItem'>;

export type Opened = {
  readonly id: string;
  readonly sink: Sink<unknown>;
  /** The handler has started; `stop` ends it. */
  started(stop: () => void): void;
  /** The response has been sent; held-back items follow. */
  announced(): void;
  /** Removes the subscription and stops its handler. */
  cancel(): void;
};

export type Subscriptions = {
  count(): number;
  open(method: string, options: OpenOptions): Opened;
  /** Ends a subscription; returns whether the id was live for that method on this connection. */
  close(method: string, id: unknown): boolean;
  closeAll(): void;
};

export type SubscriptionDeps = {
  readonly createId: () => string;
  readonly notify: (event: string, id: string, item: unknown) => void;
  /** Sends what `notify` has collected. */
  readonly flush: () => void;
  /** Whether the transport cannot accept more data at the moment. */
  readonly isBlocked: () => boolean;
};

/** The live subscriptions of one connection. */
export const createSubscriptions = (deps: SubscriptionDeps): Subscriptions => {
  const live = new Map<string, { readonly method: string; readonly cancel: () => void }>();

  const open = (method: string, options: OpenOptions): Opened => {
    const { event, maxWaiting = maxItemsWaiting, lastItem } = options;
    const id = deps.createId();
    let held: unknown[] | null = [];
    let isLive = true;
    let stop: (() => void) | null = null;
    let behind = 0;
    const cancel = (): void => {
      if (!live.delete(id)) return;
      // Stopped last, because the handler may still flush collected items.
      stop?.();
      isLive = false;
    };
    const emit = (item: unknown): void => {
      if (!isLive) return;
      if (held !== null) {
        held.push(item);
        if (held.length > maxItemsHeld) cancel();
        return;
      }
      behind = deps.isBlocked() ? behind + 1 : 0;
      const isLost = behind > maxWaiting;
      if (!isLost || lastItem !== undefined) deps.notify(event, id, isLost ? lastItem : item);
      if (isLost) cancel();
    };
    let ended = false;
    live.set(id, { method, cancel });
    return {
      id,
      sink: {
        id,
        isBlocked: () => (held !== null && held.length >= maxItemsWaiting) || deps.isBlocked(),
        emit,
        flush: () => {
          if (isLive && held === null) deps.flush();
        },
        end: () => {
          if (held === null) cancel();
          else ended = true;
        },
      },
      started: (stopHandler) => {
        stop = stopHandler;
        if (!isLive) stopHandler();
      },
      announced: () => {
        const items = held ?? [];
        held = null;
        for (const item of items) emit(item);
        if (ended) cancel();
      },
      cancel,
    };
  };

  return {
    count: () => live.size,
    open,
    close: (method, id) => {
      const found = typeof id === 'string' ? live.get(id) : undefined;
      if (found === undefined || found.method !== method) return false;
      found.cancel();
      return true;
    },
    closeAll: () => {
      for (const { cancel } of [...live.values()]) cancel();
    },
  };
};

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 16 random letters and digits, in the form of the SDK's ids. */
export const randomId = (): string => {
  let id = '';
  for (const value of crypto.getRandomValues(new Uint16Array(16))) id += letters[value % letters.length];
  return id;
};
