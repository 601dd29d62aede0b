import { isNumber, isShape, isText, orNull } from '../../kit/page/guards.ts';
import { persisted } from '../../kit/page/persisted.ts';
import type { Calls } from './calls.svelte.ts';
import type { CallTab } from './history/call-entry.ts';

const maxTabs = 12;
/** Characters of all tabs that are stored. */
const maxText = 1_000_000;

const isKept = isShape<CallTab>({ id: isNumber, method: isText, params: isText, shownId: orNull(isNumber) });

/** Tabs with calls: one keeps running while another is written. Kept until the window closes, without secrets. */
export class CallTabs {
  #calls: Calls;
  /** Contents of the other tabs; the current contents of the open tab are in `#calls`. */
  #tabs = $state.raw<readonly CallTab[]>([]);
  open = $state.raw(0);
  #nextId: number;

  constructor(calls: Calls, genesisHash: string, ended: AbortSignal) {
    this.#calls = calls;
    const key = `tabnode.tabs.${genesisHash}`;
    const kept = persisted({
      ...{ store: sessionStorage, key, isMember: isKept, limit: maxText, ended },
      list: () => this.#stored(),
    })
      .read()
      .slice(0, maxTabs);
    this.#tabs = (kept.length > 0 ? kept : [this.#now(0)]).map((tab, id) => ({ ...tab, id }));
    this.#nextId = this.#tabs.length;
    // The call of the address replaces that of the open tab.
    this.#load(
      Math.max(
        0,
        this.#tabs.findIndex(({ isOpen }) => isOpen),
      ),
    );
    calls.address.follow(ended);
  }

  /** In the order in which they were opened. */
  get tabs(): readonly CallTab[] {
    return this.#tabs.map((tab, index) => (index === this.open ? this.#now(tab.id) : tab));
  }

  get isFull(): boolean {
    return this.#tabs.length >= maxTabs;
  }

  pick(index: number): void {
    if (index === this.open || this.#tabs[index] === undefined) return;
    this.#tabs = this.tabs;
    this.#show(index);
  }

  /** Switches to a tab next to the open one, wrapping around. */
  step(by: number): void {
    this.pick((this.open + by + this.#tabs.length) % this.#tabs.length);
  }

  /** Opens another tab with a copy of the call, without its result. */
  add(): void {
    if (this.isFull) return;
    this.#tabs = [...this.tabs, { ...this.#now(this.#nextId++), shownId: null }];
    this.#show(this.#tabs.length - 1);
  }

  /** Closes a tab. Its calls stay in the history, and running ones continue. */
  close(index: number): void {
    if (this.#tabs.length === 1) return;
    const before = this.open;
    this.#tabs = this.tabs.filter((_, at) => at !== index);
    if (index === before) this.#show(Math.min(index, this.#tabs.length - 1));
    else this.open = before - (index < before ? 1 : 0);
  }

  #now(id: number): CallTab {
    const { method, params, shown, isSecret } = this.#calls;
    return { id, method, params, shownId: shown?.id ?? null, isSecret };
  }

  #show(index: number): void {
    this.#load(index);
    this.#calls.address.writeNow();
  }

  #load(index: number): void {
    const tab = this.#tabs[index];
    this.open = index;
    if (tab !== undefined) this.#calls.take(tab);
  }

  #stored(): readonly CallTab[] {
    return this.tabs.map((tab, index) => ({
      ...tab,
      ...(tab.isSecret && { params: '' }),
      isOpen: index === this.open,
    }));
  }
}
