import { createSubscriber } from 'svelte/reactivity';
import { faultText } from '../../kit/text/format.ts';
import type { Answer, UiNode } from '../../node/client/ui-node.ts';
import { FreezableList } from '../../node/freezable-list.svelte.ts';

export const logLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

type Line = Answer<'dev_subscribeLogs'>;
/** A line of the runtime's log. */
type LogLine = Line & { readonly id: number };

const keptLines = 2000;

/** The newest log lines of the node and its runtimes, oldest first. Subscribed while they are read. */
export class LogTail {
  #node: UiNode;
  #lines: LogLine[] = [];
  #shown = $state.raw<{ readonly list: readonly LogLine[]; readonly total: number }>({ list: [], total: 0 });
  #level = $state<LogLevel>('info');
  fault = $state.raw<string | null>(null);
  #nextId = 1;
  #frame = 0;
  #close: (() => void) | null = null;
  #watch = createSubscriber(() => {
    this.#open();
    return () => {
      this.#close?.();
      this.#close = null;
    };
  });
  /** The shown lines, which a pause freezes. */
  readonly tail = new FreezableList<LogLine>(() => {
    this.#watch();
    return this.#shown;
  });

  constructor(node: UiNode) {
    this.#node = node;
  }

  clear(): void {
    this.#lines = [];
    this.#shown = { list: [], total: this.#nextId - 1 };
    this.tail.clear();
  }

  /** Sets the most verbose level to receive from now on. */
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
        this.fault = null;
      },
      (fault: unknown) => {
        this.fault = faultText(fault);
      },
    );
  }

  #take(line: Line): void {
    this.#lines.push({ ...line, id: this.#nextId++ });
    if (this.#lines.length > keptLines * 1.25) this.#lines = this.#lines.slice(-keptLines);
    // Update the shown lines at most once per frame.
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#shown = { list: this.#lines.slice(-keptLines), total: this.#nextId - 1 };
    });
  }
}
