const key = 'tabnode.start';

export type StartStep = 'send' | 'look' | 'file' | 'demo';

/** The first-steps card: whether it is open, collapsed or closed, and the steps done. Remembered in this browser. */
export class StartCard {
  /** The state, followed by the steps. */
  #words = $state.raw((localStorage.getItem(key) ?? 'open').split(' '));

  /** On a phone, the card starts collapsed once a step was done: the blocks need the room. */
  constructor(isNarrow = matchMedia('(max-width: 560px)').matches) {
    if (isNarrow && this.open && this.done > 0) this.#words = this.#words.with(0, 'collapsed');
  }

  get open(): boolean {
    return this.#words[0] !== 'closed';
  }

  get collapsed(): boolean {
    return this.#words[0] === 'collapsed';
  }

  /** How many of the four steps were done. */
  get done(): number {
    return this.#words.length - 1;
  }

  finish(step: StartStep): void {
    if (!this.#words.includes(step)) this.#keep([...this.#words, step]);
  }

  toggle(): void {
    this.#keep(this.#words.with(0, this.collapsed ? 'open' : 'collapsed'));
  }

  close(): void {
    this.#keep(this.#words.with(0, 'closed'));
  }

  show(): void {
    this.#keep(this.#words.with(0, 'open'));
  }

  #keep(words: string[]): void {
    this.#words = words;
    localStorage.setItem(key, words.join(' '));
  }
}
