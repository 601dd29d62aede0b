/**
 * Reads `../shared/fixtures` next to the repository, in Node.js and in Chromium. If the folder is missing,
 * `hasFixtures` is false. Suites that need it use `describe.skipIf(!hasFixtures)`, so that they are reported
 * as skipped.
 */
declare const __FIXTURES__: string | undefined;

/** Set by Vitest. Scripts run in Node.js itself, from the source. */
const folder =
  typeof __FIXTURES__ === 'string'
    ? __FIXTURES__
    : decodeURIComponent(
        new URL(['..', '..', '..', 'shared', 'fixtures', ''].join('/'), import.meta.url).pathname,
      );

// A page or one of its workers.
const inBrowser = 'location' in globalThis;

const readInNode = async (name: string): Promise<Uint8Array | null> => {
  const fs = await import(/* @vite-ignore */ `node:${'fs'}/promises`);
  try {
    return new Uint8Array(await fs.readFile(folder + name));
  } catch {
    return null;
  }
};

// Vitest's server returns a page for unknown URLs; only a response that is not HTML is the file.
const readInBrowser = async (name: string): Promise<Uint8Array | null> => {
  const response = await fetch(`/@fs${folder}${name}`);
  if (!response.ok || response.headers.get('content-type')?.startsWith('text/html')) return null;
  return new Uint8Array(await response.arrayBuffer());
};

const readFixture = inBrowser ? readInBrowser : readInNode;

export const hasFixtures: boolean = (await readFixture('SOURCES.md')) !== null;

/** The path of a fixture, for programs that read it themselves (Node.js only). */
export const fixturePath = (name: string): string => folder + name;

/** The bytes of one fixture; throws if it is missing. */
export const loadFixture = async (name: string): Promise<Uint8Array> => {
  const bytes = await readFixture(name);
  if (bytes === null) throw new Error(`There is no fixture ${name}`);
  return bytes;
};

export const loadFixtureText = async (name: string): Promise<string> =>
  new TextDecoder().decode(await loadFixture(name));

export const loadFixtureJson = async <T>(name: string): Promise<T> =>
  JSON.parse(await loadFixtureText(name)) as T;

/** A `.jsonl` fixture: one value per line. */
export const loadFixtureLines = async <T>(name: string): Promise<T[]> =>
  (await loadFixtureText(name))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
