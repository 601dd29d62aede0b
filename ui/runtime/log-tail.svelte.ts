import { createSubscriber } from 'svelte/reactivity';
import { faultText } from '../state/format.ts';
import type { Answer, UiNode } from '../state/ui-node.ts';

export const logLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

type Line = Answer<'dev_subscribeLogs'>;
/** A line of the runtime's log. */
export type LogLine = Line & { readonly id: number };

const keptLines = 2000;

/** The log of runtimes and offchain workers, live while somebody looks; the newest lines, oldest first. */
export class LogTail {
  #node: UiNode;
  #lines: LogLine[] = [];
  #shown = $state.raw<readonly LogLine[]>([]);
  #frozen = $state.raw<readonly LogLine[] | null>(null);
  #total = $state(0);
  #frozenTotal = 0;
  #level = $state<LogLevel>('info');
  #fault = $state<string | null>(null);
  #nextId = 1;
  #frame = 0;
  #close: (() => void) | null = null;
  #watch: () => void;

  constructor(node: UiNode) {
    this.#node = node;
    this.#watch = createSubscriber(() => {
      this.#open();
      return () => {
        this.#close?.();
        this.#close = null;
      };
    });
  }

  get lines(): readonly LogLine[] {
    this.#watch();
    return this.#frozen ?? this.#shown;
  }

  get fault(): string | null {
    return this.#fault;
  }

  get level(): LogLevel {
    return this.#level;
  }

  get paused(): boolean {
    return this.#frozen !== null;
  }

  /** Lines that came since the pause. */
  get waiting(): number {
    return this.#frozen === null ? 0 : this.#total - this.#frozenTotal;
  }

  togglePause(): void {
    this.#frozen = this.#frozen === null ? this.#shown : null;
    this.#frozenTotal = this.#total;
  }

  clear(): void {
    this.#lines = [];
    this.#shown = [];
    if (this.#frozen !== null) this.#frozen = [];
    this.#frozenTotal = this.#total;
  }

  /** Has the runtime log up to this level from now on. */
  choose(level: LogLevel): void {
    if (level === this.#level) return;
    this.#level = level;
    if (this.#close === null) return;
    this.#close();
    this.#open();
  }

  #open(): void {
    const subscription = this.#node.subscribe(
      'dev_subscribeLogs',
      [this.#level],
      'dev_unsubscribeLogs',
      (line) => this.#take(line),
    );
    this.#close = subscription.close;
    subscription.opened.then(
      () => {
        this.#fault = null;
      },
      (fault: unknown) => {
        this.#fault = faultText(fault);
      },
    );
  }

  #take(line: Line): void {
    this.#lines.push({ ...line, id: this.#nextId++ });
    if (this.#lines.length > keptLines * 1.25) this.#lines = this.#lines.slice(-keptLines);
    // However fast lines come, the page shows them once per frame.
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#shown = this.#lines.slice(-keptLines);
      this.#total = this.#nextId - 1;
    });
  }
}
