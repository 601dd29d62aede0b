export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
export declare const reportPath: (name: string) => string;
export declare const resetReport: (name: string) => void;
export declare const writeReport: (name: string, report: object) => void;
export declare const countVitest: (report: object) => Counts;
export declare const countPlaywright: (report: object) => Counts;
export declare const countReport: (
  name: 'vitest' | 'chromium' | 'playwright' | 'check',
  exitCode: number,
  path?: string,
) => Counts;
export declare const sumCounts: (all: readonly Counts[]) => Counts;
export declare const countsLine: (counts: Counts) => string;
