/** A status line on a terminal that shows the progress of long work. */
export type Progress = {
  /** Such as `1,200 of 5,000 blocks`. */
  show(done: number, total?: number | null): void;
  /** Removes the line. */
  end(): void;
};

/** Minimum time between updates, in ms. */
const interval = 100;

const digits = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

const barWidth = 20;

const bar = (share: number): string => {
  const full = Math.round(Math.min(share, 1) * barWidth);
  return `[${'='.repeat(full)}${' '.repeat(barWidth - full)}] `;
};

type Terminal = { readonly isTTY?: boolean; write(text: string): unknown };

/**
 * Progress on stderr, only if that is a terminal.
 *
 * @param what What is counted, in the plural.
 */
export const createProgress = (
  what: string,
  terminal: Terminal = process.stderr,
  now: () => number = () => performance.now(),
): Progress => {
  if (terminal.isTTY !== true) return { show: () => undefined, end: () => undefined };
  const from = now();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (done, total = null) => {
      const at = now();
      if (at - shownAt < interval) return;
      shownAt = at;
      const rate = at > from ? `, ${digits((done * 1000) / (at - from))}/s` : '';
      const count = total === null ? digits(done) : `${bar(done / total)}${digits(done)} of ${digits(total)}`;
      terminal.write(`\r\u001b[K${count} ${what}${rate}`);
    },
    end: () => {
      if (shownAt > Number.NEGATIVE_INFINITY) terminal.write('\r\u001b[K');
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
};
