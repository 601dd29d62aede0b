/** Ids of the accounts whose keys the key worker holds. They belong to the page, which outlives the chains that it shows. */
export class HeldIds {
  #all = $state.raw<ReadonlySet<string>>(new Set());

  get all(): ReadonlySet<string> {
    return this.#all;
  }

  add(...ids: readonly string[]): void {
    this.#all = new Set([...this.#all, ...ids]);
  }

  delete(id: string): void {
    this.#all = new Set([...this.#all].filter((one) => one !== id));
  }

  clear(): void {
    this.#all = new Set();
  }
}
