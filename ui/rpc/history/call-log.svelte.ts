import { saveAtEnd } from '../../page/disposable.svelte.ts';
import { setAside } from '../../page/kept.ts';
import { openListChannel } from '../../page/list-channel.ts';
import type { CallEntry } from './call-entry.ts';
import { capCalls, readCalls, withoutAnswer, withoutSecret, writeCalls } from './kept-calls.ts';

const writeDelayMs = 300;

/** What the user did to calls: removed them, favorites or not, or changed the label or the star of one. */
type News =
  | { readonly removed: readonly (readonly [id: number, starred: boolean])[] }
  | { readonly changed: Pick<CallEntry, 'id' | 'label' | 'starred'> };

/** The history of the console, newest first, stored in the browser for each chain. */
export class CallLog {
  #key: string;
  entries = $state.raw<readonly CallEntry[]>([]);
  /** Those that were in the list: the calls that were removed do not come back from another tab. */
  #known = new Set<number>();
  /** Tells the other tabs of the chain. */
  #tell: (news: News) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the entries differ from what is stored. */
  #isChanged = false;

  /** `isSecret` tells whether the params of a stored call have a secret, which an older page may have kept. */
  constructor(
    genesisHash: string,
    ended: AbortSignal,
    isSecret: (method: string, params: string) => boolean = () => false,
  ) {
    this.#key = `tabnode.calls.${genesisHash}`;
    const kept = localStorage.getItem(this.#key);
    const stored = readCalls(kept);
    const safe = stored.map((entry) => (isSecret(entry.method, entry.params) ? withoutSecret(entry) : entry));
    this.#join(safe);
    if (safe.some((entry, at) => entry !== stored[at])) this.#write();
    if (this.entries.length === 0 && kept !== '[]') setAside(localStorage, this.#key);
    // Do not write without pending changes: another window may have written since.
    // Other tabs of the chain store the same list. Whether a call of theirs will be answered, only they know.
    const hear = ({ key, newValue }: StorageEvent): void => {
      if (key === this.#key) this.#join(readCalls(newValue).filter(({ state }) => state !== 'unanswered'));
    };
    addEventListener('storage', hear, { signal: ended });
    this.#tell = openListChannel(this.#key, ended, (news: News) => {
      if ('removed' in news) this.#drop(new Map(news.removed));
      else this.note(news.changed.id, news.changed);
    });
    saveAtEnd(ended, () => {
      if (this.#isChanged) this.#write();
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
    this.#writeSoon();
    return id;
  }

  update(id: number, change: Partial<CallEntry>): void {
    this.note(id, change);
    this.#writeSoon();
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
    this.#writeSoon();
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
    this.#isChanged = true;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => this.#write(), writeDelayMs);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isChanged = false;
    // If there is not enough space, keep the calls without their answers.
    for (const entries of [this.entries, this.entries.map(withoutAnswer)]) {
      try {
        localStorage.setItem(this.#key, writeCalls(entries));
        return;
      } catch {
        localStorage.removeItem(this.#key);
      }
    }
  }
}
