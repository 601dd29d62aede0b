/** A list that grows at its end, and the number of items ever added to it. */
type Growing<T> = { readonly list: readonly T[]; readonly total: number };

/** A growing list that can be frozen while the user reads it, by pausing or by scrolling. */
export class FreezableList<T> {
  #now: () => Growing<T>;
  #frozen = $state.raw<Growing<T> | null>(null);
  #paused = $state.raw(false);

  /** `now` returns the current list, which may be mutated in place. */
  constructor(now: () => Growing<T>) {
    this.#now = now;
  }

  get list(): readonly T[] {
    // Read in any case, so that a frozen list stays subscribed.
    const { list } = this.#now();
    return this.#frozen?.list ?? list;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Whether the list is frozen: paused, or scrolled away from its end. */
  get still(): boolean {
    return this.#frozen !== null;
  }

  /** Number of items added since the list was frozen. */
  get waiting(): number {
    return this.#frozen === null ? 0 : this.#now().total - this.#frozen.total;
  }

  /** The total when the list was frozen; null while it is live. */
  get since(): number | null {
    return this.#frozen?.total ?? null;
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.hold(paused);
  }

  /** Freezes or unfreezes the list. A pause can only be ended with `pause(false)`. */
  hold(still: boolean): void {
    if (still === this.still || (!still && this.#paused)) return;
    const { list, total } = this.#now();
    this.#frozen = still ? { list: [...list], total } : null;
  }

  /** Empties a frozen view after the list itself was cleared. */
  clear(): void {
    if (this.#frozen !== null) this.#frozen = { list: [], total: this.#now().total };
  }
}
