/**
 * One line of the table. A figure without a budget is only reported. For a rate (/s) the budget is a minimum.
 */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'µs' | '×' | 'B' | 'kB' | 'requests' | 'rounds' | '/s';
  readonly budget: number | null;
  /** Processor time per unit if one thread did the work: on a busy machine more accurate than the clock. */
  readonly cpu?: number;
  readonly note?: string;
};

export type Skipped = { readonly name: string; readonly skipped: string };
export type Line = Figure | Skipped;

/** What the command line allows. `chopsticks`: to install what forks are compared with. */
export type BenchOptions = { readonly chopsticks: boolean };

/** A named group of measurements, selected with `--only`. */
export type Bench = {
  readonly name: string;
  readonly about: string;
  run(options: BenchOptions): Promise<Line[]>;
};

export const isSkipped = (line: Line): line is Skipped => 'skipped' in line;

export const verdict = (line: Line): 'ok' | 'over' | 'under' | 'skipped' | 'reported' => {
  if (isSkipped(line)) return 'skipped';
  if (line.budget === null) return 'reported';
  if (line.unit === '/s') return line.value >= line.budget ? 'ok' : 'under';
  return line.value <= line.budget ? 'ok' : 'over';
};

const digits = (value: number): string =>
  value >= 1000 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);

const cells = (line: Line): string[] => {
  if (isSkipped(line)) return [line.name, '', '', '', 'skipped', line.skipped];
  const { name, value, unit, budget, cpu, note } = line;
  return [
    name,
    `${digits(value)} ${unit}`,
    cpu === undefined ? '' : `${digits(cpu)} ${unit}`,
    budget === null ? '' : `${unit === '/s' ? '≥' : '≤'} ${budget} ${unit}`,
    verdict(line),
    note ?? '',
  ];
};

/** The table as text: figure, clock, processor, budget, verdict. */
export const formatTable = (lines: readonly Line[]): string => {
  const rows = [['figure', 'measured', 'of it CPU', 'budget', 'verdict', 'note'], ...lines.map(cells)];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const format = (row: string[]): string =>
    row
      .map((cell, column) =>
        column === 0
          ? cell.padEnd(widths[0] ?? 0)
          : column < 4
            ? cell.padStart(widths[column] ?? 0)
            : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return rows.map(format).join('\n');
};
