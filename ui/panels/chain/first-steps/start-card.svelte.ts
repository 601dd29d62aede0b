const key = 'tabnode.start';

const steps = ['send', 'look', 'file'] as const;
export type StartStep = (typeof steps)[number];

const readWords = (): string[] => (localStorage.getItem(key) ?? 'open').split(' ');

/** Kept once a transfer was final: the card has collapsed, and does not do so again. */
const settled = 'settled';

/** The first-steps card: whether it is open, collapsed or closed, and the steps done. Remembered in this browser. */
export class StartCard {
  /** The state, followed by the steps and what else was kept. */
  #words = $state.raw(readWords());

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

  /** How many of the three steps were done. */
  get done(): number {
    return steps.filter((step) => this.isDone(step)).length;
  }

  isDone(step: StartStep): boolean {
    return this.#words.includes(step);
  }

  finish(step: StartStep): void {
    if (!this.isDone(step)) this.#keep([...this.#words, step], true);
  }

  /** Collapses the card after the first final transfer. If it is opened again, it stays open. */
  settle(): void {
    if (this.#words.includes(settled)) return;
    this.#keep([...(this.open ? this.#words.with(0, 'collapsed') : this.#words), settled], true);
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

  /** Adds the steps that were done in other tabs. If the card was closed there, only the user opens it again. */
  #keep([state = 'open', ...done]: string[], isProgress = false): void {
    const [stored = 'open', ...others] = readWords();
    this.#words = [isProgress && stored === 'closed' ? stored : state, ...new Set([...done, ...others])];
    localStorage.setItem(key, this.#words.join(' '));
  }
}
