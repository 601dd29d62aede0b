// Writes THIRD-PARTY-NOTICES.txt: builds everything that is shipped, to see whose code it contains, and asks cargo for the
// crates of the Wasm modules. Needs cargo with the crates' sources (cargo fetch), and fails where a license is not fit for
// Apache-2.0 use.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readBundled } from './bundled.ts';
import { type Crate as CrateName, formatNotices, noticesPath, type Row, rustLibrary } from './file.ts';
import { chooseLicense, licenseOfRuntimeCrate } from './licenses.ts';
import { type Source, textsOf } from './texts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const targets = {
  crypto: 'wasm32v1-none',
  grandpa: 'wasm32-unknown-unknown',
  runtime: 'wasm32v1-none',
} as const;

const run = (command: string, args: readonly string[], cwd: string, env = process.env): string =>
  execFileSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });

const texts: string[] = [];
/** The number of a text, from 1. */
const numberOf = (text: string): number => {
  if (!texts.includes(text)) texts.push(text);
  return texts.indexOf(text) + 1;
};

const makeRow = (version: string, licenses: readonly string[], source: Source): Row => ({
  name: source.name,
  version,
  licenses,
  texts: licenses.flatMap((license) => textsOf(license, source).map(numberOf)),
});

type PackageJson = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
};

const listPackages = (): readonly Row[] => {
  const work = mkdtempSync(join(tmpdir(), 'tabnode-notices-'));
  try {
    const list = join(work, 'bundled');
    run(process.execPath, ['scripts/build.mjs', 'app', 'lib', 'node'], root, {
      ...process.env,
      TABNODE_BUNDLED: list,
    });
    return readBundled(list).map(({ name, version, folder }) => {
      const manifest = JSON.parse(
        readFileSync(join(resolve(root, folder), 'package.json'), 'utf8'),
      ) as PackageJson;
      const licenses = chooseLicense(manifest.license ?? 'none');
      if (licenses === null)
        throw new Error(`${name} ${version}: ${manifest.license} is not fit for Apache-2.0 use`);
      const author = typeof manifest.author === 'object' ? manifest.author.name : manifest.author;
      return makeRow(version, licenses, {
        name,
        folder: resolve(root, folder),
        authors: author === undefined ? [] : [author],
      });
    });
  } finally {
    rmSync(work, { recursive: true });
  }
};

type Crate = {
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  readonly authors: readonly string[];
  readonly manifest_path: string;
  readonly source: string | null;
};

/** What is linked: neither build scripts nor macros. */
const listCrates = (
  crate: CrateName,
  choose: (name: string, expression: string) => readonly string[] | null,
): readonly Row[] => {
  const folder = join(root, 'crates', crate);
  const target = targets[crate];
  const tree = ['tree', '--locked', '-e', 'normal,no-proc-macro', '--target', target];
  const lines = run('cargo', [...tree, '--prefix', 'none', '--format', '{p}'], folder).split('\n');
  const linked = new Set(lines.map((line) => line.split(' ').slice(0, 2).join(' ').replace(' v', ' ')));
  const metadata = run(
    'cargo',
    ['metadata', '--locked', '--format-version', '1', '--filter-platform', target],
    folder,
  );
  const { packages } = JSON.parse(metadata) as { readonly packages: readonly Crate[] };
  return packages
    .filter(({ name, version, source }) => source !== null && linked.has(`${name} ${version}`))
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
    .map(({ name, version, license, authors, manifest_path }) => {
      const licenses = choose(name, license ?? 'none');
      if (licenses === null) throw new Error(`${name} ${version}: ${license} is not fit for Apache-2.0 use`);
      return makeRow(version, licenses, { name, folder: dirname(manifest_path), authors });
    });
};

/** The compiler's own library: MIT or Apache-2.0. `rustc` is its first words. */
const libraryRow = (rustc: string): Row => ({
  name: rustLibrary,
  version: rustc.split(' ')[1] ?? '',
  licenses: ['Apache-2.0'],
  texts: [],
});
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const core = readJson('worker/crypto/crypto-core.json') as { readonly toolchain: string };
const grandpa = readJson('worker/consensus/grandpa/voter/grandpa.json') as { readonly toolchain: string };
const runtime = readJson('public/runtime-manifest.json') as {
  readonly toolchain: { readonly rustc: string };
};

const parts = {
  npm: listPackages(),
  crypto: [
    ...listCrates('crypto', (_name, expression) => chooseLicense(expression)),
    libraryRow(core.toolchain),
  ],
  grandpa: [
    ...listCrates('grandpa', (_name, expression) => chooseLicense(expression)),
    libraryRow(grandpa.toolchain),
  ],
  runtime: [...listCrates('runtime', licenseOfRuntimeCrate), libraryRow(runtime.toolchain.rustc)],
};
writeFileSync(noticesPath, formatNotices(parts, texts));
console.log(
  `${parts.npm.length} packages, ${parts.crypto.length}, ${parts.grandpa.length} and ${parts.runtime.length} crates, ${texts.length} texts`,
);
