import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const noticesPath = `${root}THIRD-PARTY-NOTICES.txt`;

/** One package or crate, the licenses under which it is taken, and the numbers of their texts. */
export type Row = {
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly string[];
  readonly texts: readonly number[];
};

/** The crates of which Wasm modules are built. */
export type Crate = 'crypto' | 'grandpa' | 'runtime';

/** What is built from other people's code. */
export type Part = 'npm' | Crate;

const titles: Readonly<Record<Part, string>> = {
  npm: 'npm packages in the page, the library, the worker and the command',
  crypto: 'Rust crates in crypto-core.wasm',
  grandpa: 'Rust crates in grandpa.wasm',
  runtime: 'Rust crates in tabnode-runtime*.wasm',
};

/** Part of each Wasm module, and in no Cargo.lock. */
export const rustLibrary = 'rust-standard-library';

/** Changes with the crates that a module is built from. */
export const hashLock = (crate: Crate): string =>
  createHash('sha256')
    .update(readFileSync(`${root}crates/${crate}/Cargo.lock`))
    .digest('hex');

const formatRow = ({ name, version, licenses, texts }: Row): string =>
  `  ${name} ${version}: ${licenses.join(' AND ')}${texts.length > 0 ? ` [${texts.join(', ')}]` : ''}`;

const head = `Tabnode is licensed under Apache-2.0 (see LICENSE). It contains the software of others that is listed here, each with the
license under which it is taken. Numbers in brackets refer to the texts below; what has none is taken under Apache-2.0,
whose text is that of LICENSE. Written by \`npm run notices\`.

The modules tabnode-runtime*.wasm contain crates under GPL-3.0-only and are, each as a whole, distributed under that license.
Their sources are the folder crates/runtime of Tabnode's repository and the crates of its Cargo.lock. To a node they are data,
as any other chain's runtime is.
`;

export const formatNotices = (
  parts: Readonly<Record<Part, readonly Row[]>>,
  texts: readonly string[],
): string => {
  const lists = (Object.keys(titles) as Part[]).map((part) => {
    const lock = part === 'npm' ? '' : ` (Cargo.lock ${hashLock(part)})`;
    return `${titles[part]}${lock}\n\n${parts[part].map(formatRow).join('\n')}\n`;
  });
  const rule = '-'.repeat(80);
  return [head, ...lists, ...texts.map((text, index) => `${rule}\n[${index + 1}]\n\n${text}\n`)].join('\n');
};

/** The lists of a file, and the lock files that it was made for. Texts are not read. */
export const readNotices = (text: string) => {
  const [lists = ''] = text.split(/^-{80}$/m);
  const rowsOf = (part: Part): readonly Row[] => {
    const [, block = ''] = lists.split(titles[part]);
    const [, body = ''] = block.split('\n\n');
    return [...body.matchAll(/^ {2}(\S+) (\S+): ([^[\n]+?)(?: \[([\d, ]+)\])?$/gm)].map(
      ([, name = '', version = '', licenses = '', numbers]) => ({
        name,
        version,
        licenses: licenses.split(' AND '),
        texts: numbers === undefined ? [] : numbers.split(', ').map(Number),
      }),
    );
  };
  return {
    locks: [...lists.matchAll(/\(Cargo\.lock ([0-9a-f]{64})\)/g)].map(([, hash]) => hash),
    npm: rowsOf('npm'),
    crypto: rowsOf('crypto'),
    grandpa: rowsOf('grandpa'),
    runtime: rowsOf('runtime'),
    texts: [...text.matchAll(/^\[(\d+)\]$/gm)].length,
  };
};
