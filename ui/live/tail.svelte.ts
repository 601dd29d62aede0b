/** A list that grows at its end, and how many have come to it in all. */
type Growing<T> = { readonly list: readonly T[]; readonly total: number };

/** A growing list that can stand still while it is read: paused by name, or held by scrolling. */
export class Tail<T> {
  #now: () => Growing<T>;
  #frozen = $state.raw<Growing<T> | null>(null);
  #paused = $state.raw(false);

  /** `now` reads the list as it is; it may change in place. */
  constructor(now: () => Growing<T>) {
    this.#now = now;
  }

  get list(): readonly T[] {
    // Read in any case: a list that stands still goes on listening.
    const { list } = this.#now();
    return this.#frozen?.list ?? list;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Whether it stands still: paused, or somebody reads away from its end. */
  get still(): boolean {
    return this.#frozen !== null;
  }

  /** How many wait behind the pause. */
  get waiting(): number {
    return this.#frozen === null ? 0 : this.#now().total - this.#frozen.total;
  }

  /** The total when it began to stand still; null while it grows. */
  get since(): number | null {
    return this.#frozen?.total ?? null;
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.hold(paused);
  }

  /** Keeps what is shown. A pause stays until it is ended by name. */
  hold(still: boolean): void {
    if (still === this.still || (!still && this.#paused)) return;
    const { list, total } = this.#now();
    this.#frozen = still ? { list: [...list], total } : null;
  }

  /** Shows nothing of what there was, once the list itself is empty. */
  clear(): void {
    if (this.#frozen !== null) this.#frozen = { list: [], total: this.#now().total };
  }
}
