const key = 'tabnode.start';

/** Whether the card of the first minute is open; closing it is kept in this browser. */
export class StartCard {
  #open = $state(localStorage.getItem(key) !== 'closed');

  get open(): boolean {
    return this.#open;
  }

  close(): void {
    this.#open = false;
    localStorage.setItem(key, 'closed');
  }

  show(): void {
    this.#open = true;
    localStorage.removeItem(key);
  }
}
