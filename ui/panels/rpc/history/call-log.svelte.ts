import { openListChannel } from '../../../kit/page/list-channel.ts';
import { type Persisted, persisted } from '../../../kit/page/persisted.ts';
import type { CallEntry } from './call-entry.ts';
import { capCalls, isKept, textOf, toStored, withoutAnswer, withoutSecret } from './kept-calls.ts';

/** What the user did to calls: removed them, favorites or not, or changed the label or the star of one. */
type News =
  | { readonly removed: readonly (readonly [id: number, starred: boolean])[] }
  | { readonly changed: Pick<CallEntry, 'id' | 'label' | 'starred'> };

/** The history of the console, newest first, stored in the browser for each chain. */
export class CallLog {
  #kept: Persisted<CallEntry>;
  entries = $state.raw<readonly CallEntry[]>([]);
  /** Ids seen before, so that removed calls are not restored from another tab. */
  #known = new Set<number>();
  /** Tells the other tabs of the chain. */
  #tell: (news: News) => void;

  /** `isSecret` tells whether the params of a stored call have a secret, which an older page may have kept. */
  constructor(
    genesisHash: string,
    ended: AbortSignal,
    isSecret: (method: string, params: string) => boolean = () => false,
  ) {
    const key = `tabnode.calls.${genesisHash}`;
    this.#kept = persisted({
      ...{ store: localStorage, key, isMember: isKept, limit: Number.POSITIVE_INFINITY, ended },
      list: () => toStored(this.entries),
      fewer: () => this.entries.map(withoutAnswer),
      textOf: (entry) => textOf(entry as CallEntry),
      // Whether a call of another tab will be answered, only that tab knows.
      merge: () => this.#join(this.#kept.read().filter(({ state }) => state !== 'unanswered')),
    });
    const stored = this.#kept.read();
    const safe = stored.map((entry) => (isSecret(entry.method, entry.params) ? withoutSecret(entry) : entry));
    this.#join(safe);
    if (safe.some((entry, at) => entry !== stored[at])) this.#kept.write();
    this.#tell = openListChannel(key, ended, (news: News) => {
      if ('removed' in news) this.#drop(new Map(news.removed));
      else this.note(news.changed.id, news.changed);
    });
  }

  find(id: number | null): CallEntry | null {
    return this.entries.find((entry) => entry.id === id) ?? null;
  }

  /** Adds a call at the top and returns its id. Of one that had a secret (`isHidden`), the answer is not stored. */
  add(method: string, params: string, isHidden = false, best: string | null = null): number {
    // Unique among the tabs of a chain, and higher than those before it.
    const id = Math.max(Date.now(), this.entries[0]?.id ?? 0) + 1 + Math.random();
    this.#known.add(id);
    const entry: CallEntry = {
      id,
      method,
      params,
      ...(isHidden && { isHidden }),
      ...(best !== null && { best }),
      state: 'pending',
      atMs: Date.now(),
      ms: null,
      sizeBytes: null,
      answer: { kind: 'none' },
      count: 0,
      label: '',
      starred: false,
    };
    this.#keep([entry, ...this.entries]);
    this.#kept.writeSoon();
    return id;
  }

  update(id: number, change: Partial<CallEntry>): void {
    this.note(id, change);
    this.#kept.writeSoon();
    const entry = this.find(id);
    if (entry !== null && ('label' in change || 'starred' in change))
      this.#tell({ changed: { id, label: entry.label, starred: entry.starred } });
  }

  /** Like `update`, for a notification: a subscription may send many, so they do not cause a write. */
  note(id: number, change: Partial<CallEntry>): void {
    this.#keep(this.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)));
  }

  remove(id: number): void {
    this.#remove((entry) => entry.id === id);
  }

  /** Removes all calls except favorites and running ones. */
  clear(): void {
    this.#remove(({ starred, state }) => !starred && state !== 'pending' && state !== 'open');
  }

  #remove(isGone: (entry: CallEntry) => boolean): void {
    const gone = this.entries.filter(isGone).map(({ id, starred }) => [id, starred] as const);
    this.#tell({ removed: gone });
    this.#drop(new Map(gone));
    this.#kept.writeSoon();
  }

  /** Drops these calls, but not those that are favorites only here. */
  #drop(gone: ReadonlyMap<number, boolean>): void {
    this.#keep(this.entries.filter(({ id, starred }) => !gone.has(id) || (starred && !gone.get(id))));
  }

  #join(stored: readonly CallEntry[]): void {
    const added = stored.filter(({ id }) => !this.#known.has(id));
    for (const { id } of added) this.#known.add(id);
    this.entries = capCalls([...this.entries, ...added].sort((a, b) => b.id - a.id));
  }

  #keep(entries: readonly CallEntry[]): void {
    this.entries = capCalls(entries);
    this.#kept.changed();
  }
}
