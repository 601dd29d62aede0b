import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A fenced block of a page: ```` ```ts [name.ts] no_run ````. */
export type Block = {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** The file that the page tells the reader to write; null: a script by itself. */
  readonly name: string | null;
  /** Whether the tests run it. With `no_run`, they only compile it, or look up its commands and options. */
  readonly isRun: boolean;
  readonly code: string;
};

/** The README and the guide. The decisions tell of the past, and the method reference is generated. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'rpc.md')
    .map((name) => `docs/${name}`),
];

const fence = /^```(\w*)(?: \[([\w./-]+)\])?( no_run)?\n(.*?)^```$/gms;

/** All blocks of a page, in order. */
export const readBlocks = (page: string): readonly Block[] => {
  const text = read(page);
  return [...text.matchAll(fence)].map(({ 1: language = '', 2: name, 3: flag, 4: code = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    name: name ?? null,
    isRun: flag === undefined,
    code,
  }));
};

/** Where a block is, for the name of its test. */
export const placeOf = ({ page, line, name }: Block): string =>
  `${page}:${line}${name === null ? '' : ` (${name})`}`;

type Entry = { readonly types: string } | string;
const { exports } = JSON.parse(read('package.json')) as {
  readonly exports: Readonly<Record<string, Entry>>;
};

/** The source of each of the package's modules: `tabnode/papi` → `src/providers/papi.ts`. */
export const sources: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exports).flatMap(([name, entry]) =>
    typeof entry === 'string'
      ? []
      : [
          [
            name.replace('.', 'tabnode'),
            join(root, entry.types.replace('./dist/types/', '').replace('.d.ts', '.ts')),
          ],
        ],
  ),
);

/** The file of a block below the folder of all blocks. */
export const fileOf = ({ page, line, name, language }: Block): string =>
  join(basename(page, '.md'), name ?? `line-${line}.${language}`);

/** Writes the blocks as projects, one per page, that find the packages of the repository. */
export const writeBlocks = (folder: string, blocks: readonly Block[]): void => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const block of blocks) {
    const file = join(folder, fileOf(block));
    mkdirSync(join(file, '..'), { recursive: true });
    if (existsSync(file)) throw new Error(`${placeOf(block)}: the page has written this file before`);
    writeFileSync(file, block.name === null ? `${block.code}\nexport {};\n` : block.code);
  }
};
