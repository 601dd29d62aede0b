const key = 'tabnode.start';

/** Whether the first-steps card is open. Closing it is remembered in this browser. */
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
