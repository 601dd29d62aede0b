import { openListChannel } from '../../kit/page/list-channel.ts';
import type { SentItem } from './sent-item.ts';

/** Ids of the transactions that were cleared in another tab, or came back. */
type News = { readonly cleared: readonly string[] } | { readonly restored: readonly string[] };

/** Whether clearing removes it: it is completed, or its status was lost. */
const isOver = ({ open, lost }: SentItem): boolean => !open || lost;

/** The transactions that were cleared from the list, in any tab: one that does not know of it yet may store them again. */
export class Cleared {
  #last = $state.raw<readonly SentItem[]>([]);
  #ids = new Set<string>();
  /** Tells the other tabs of the chain. */
  #announce: (news: News) => void;

  /** `onNews` is called after another tab has cleared transactions, or restored them. */
  constructor(key: string | null, ended: AbortSignal | undefined, onNews: () => void) {
    const apply = (news: News): void => {
      if ('cleared' in news) for (const id of news.cleared) this.#ids.add(id);
      else for (const id of news.restored) this.#ids.delete(id);
      onNews();
    };
    this.#announce =
      key === null || ended === undefined ? () => undefined : openListChannel(key, ended, apply);
  }

  /** Whether the last clearing can be undone. */
  get hasLast(): boolean {
    return this.#last.length > 0;
  }

  clear(items: readonly SentItem[]): void {
    this.#last = items.filter(isOver);
    const cleared = this.#last.map(({ id }) => id);
    for (const id of cleared) this.#ids.add(id);
    this.#announce({ cleared });
  }

  /** Undoes the last clearing and returns what it removed. */
  restore(): readonly SentItem[] {
    const last = this.#last;
    const restored = last.map(({ id }) => id);
    for (const id of restored) this.#ids.delete(id);
    this.#last = [];
    this.#announce({ restored });
    return last;
  }

  /** The items without those that were cleared; one that this tab still watches stays. */
  without(items: readonly SentItem[]): readonly SentItem[] {
    return items.filter((item) => !(this.#ids.has(item.id) && isOver(item)));
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
