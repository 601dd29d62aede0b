import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n');
const present = files.filter((file) => existsSync(join(root, file))).map((file) => `/${file}`);
const folders = new Set(files.map((file) => file.split('/')[0]));
const docs = files.filter((file) => /^(docs\/.*|[^/]+)\.md$/.test(file) && existsSync(join(root, file)));

/** The matches of the pattern's first group in the documents, each with its document. */
const find = (paths: readonly string[], pattern: RegExp) =>
  paths.flatMap((doc) =>
    [...readFileSync(join(root, doc), 'utf8').matchAll(pattern)].map(([, path = '']) => ({ doc, path })),
  );

/**
 * Matches `worker/trie`, `chain/import/verify.ts` (below a folder the text is about) and `early.ts`; not the SDK's
 * files.
 */
const isPath = (path: string): boolean =>
  (/^[\w.-]+(\/[\w.-]+)+\/?$/.test(path) && folders.has(path.split('/')[0])) ||
  /^[\w-][\w.-]*(\/[\w.-]+)*\.(ts|mjs|svelte)$/.test(path);

/** A placeholder name in CONTRIBUTING, a file that a chapter of the guide tells to write, or a build output. */
const isExample = (path: string): boolean => /^(x|compliance|greet)\.|^dist\//.test(path);

const exists = (path: string): boolean => {
  const inner = `/${path.replace(/\/$/, '')}`;
  return present.some((file) => file.endsWith(inner) || file.includes(`${inner}/`));
};

const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
const replaced = [...index.matchAll(/\]\(([^)]+)\) \| replaced /g)].map(
  ([, file]) => `docs/decisions/${file}`,
);
// The change log and decisions that no longer hold also mention files that no longer exist.
const current = docs.filter((doc) => doc !== 'CHANGELOG.md' && !replaced.includes(doc));

it('the documents name only files and folders that exist', () => {
  const paths = find(current, /`([^`\s]+)`/g).filter(({ path }) => isPath(path) && !isExample(path));
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter(({ path }) => !exists(path))).toEqual([]);
});

/** Documents that were never part of the repository: what they said has to stand in the code, or in the SDK. */
const elsewhere = /\b(DESIGN|HOST|RPC|NETWORK|FORK|RUNTIME|TOOLING|STYLE|UI)(\.md)? ?§/;

it('comments refer to no document that a clone does not have', () => {
  const code = files.filter((file) => /\.(ts|mjs|js|svelte|md)$/.test(file) && existsSync(join(root, file)));
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  expect(code.length).toBeGreaterThan(1000);
  expect(code.filter((file) => elsewhere.test(read(file)))).toEqual([]);
});

it('the documents link only to files that exist', () => {
  const links = find(docs, /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g);
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter(({ doc, path }) => !existsSync(join(root, dirname(doc), path)))).toEqual([]);
});

/** The anchors of a document, as GitHub and VitePress make them of its headings. */
const anchorsOf = (doc: string): readonly string[] =>
  [...readFileSync(join(root, doc), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

it('the documents link only to headings that exist', () => {
  const links = find(docs, /\]\(((?:[^):\s]*\.md)?#[^)\s]+)\)/g);
  expect(links.length).toBeGreaterThan(3);
  const isBroken = ({ doc, path }: (typeof links)[number]): boolean => {
    const [file = '', anchor = ''] = path.split('#');
    return !anchorsOf(file === '' ? doc : join(dirname(doc), file)).includes(anchor);
  };
  expect(links.filter(isBroken)).toEqual([]);
});

it('the index of decisions has each of them under its title', () => {
  const decisions = docs.filter((doc) => /^docs\/decisions\/\d/.test(doc));
  expect(decisions.length).toBeGreaterThan(50);
  const rows = decisions.map((doc) => {
    const [, number, title] = /^# (\d+)\. (.+)/.exec(readFileSync(join(root, doc), 'utf8')) ?? [];
    return `| ${number} | [${title}](${doc.replace('docs/decisions/', '')}) |`;
  });
  expect(rows.filter((row) => !index.includes(row))).toEqual([]);
});
