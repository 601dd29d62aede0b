import { readFileSync } from 'node:fs';

/** What a check finds in a source; lines count from 1. */
export type Finding = { readonly line: number; readonly text: string };

/** What is found in these files, each as `file:line text`. */
export const findIn = (
  files: readonly string[],
  find: (source: string) => readonly Finding[],
): readonly string[] =>
  files.flatMap((file) =>
    find(readFileSync(file, 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
