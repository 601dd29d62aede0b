import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { liveChains } from '../../src/live-chains.ts';
import { fixturePath, hasFixtures } from '../rigs/fixtures.ts';

/**
 * Needs ../shared/fixtures. The expected values in the fixtures must be computed by the node, never copied
 * into it.
 */

const root = new URL('../..', import.meta.url);

const listFiles = (folder: URL | string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);

/**
 * The stored genesis of the development preset contains storage keys that every chain has.
 * worker/start.test.ts compares it with what the runtime builds. The allocator is a Wasm module, whose table of branches runtimes of
 * fixtures have as well; wasm-allocator.test.ts compares it with its text.
 */
const isSource = (path: string): boolean =>
  /\.(ts|svelte|js|mjs|json)$/.test(path) &&
  !/\.test\.ts$|genesis\/development-genesis\.ts$|allocator\/allocator-code\.ts$/.test(path);
const sources = ['src', 'worker', 'bridge']
  .flatMap((folder) => listFiles(new URL(folder, root)))
  .filter(isSource);
const programs = listFiles(new URL('worker', root)).filter((path) => path.endsWith('.wasm'));

/** Converts lists of byte values, which would hide a hash from a search for hex. */
const numbersAsHex = (text: string): string[] =>
  [...text.matchAll(/(?:\b(?:0x[0-9a-f]{1,2}|\d{1,3})\b[\s,]*){16,}/gi)].map(([list]) =>
    list
      .split(/[\s,]+/)
      .filter((item) => item !== '')
      .map((item) => (Number(item) & 255).toString(16).padStart(2, '0'))
      .join(''),
  );

/**
 * Publicly known rather than computed by a node: the secret of the development phrase (crypto/keys.ts; keys.test.ts derives it),
 * by what public chains are known (live-chains.test.ts computes it from their specifications), and keys that every chain has.
 */
const known = new Set([
  'fac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e',
  '26aa394eea5630e07c48ae0c9558cef7',
  ...Object.values(liveChains).map(({ genesisHash }) => genesisHash.slice(2)),
]);
const isPublic = (hex: string): boolean => known.has(hex);

/** A value with few different digits says nothing about its origin. */
const isTelling = (hex: string): boolean => new Set(hex).size > 4;

const loadFixtureTexts = (): string =>
  listFiles(fixturePath(''))
    .filter((path) => /\.jsonl?$/.test(path))
    .map((path) => readFileSync(path, 'utf8').toLowerCase())
    .join('\n');

/** Every 16-byte window at a byte boundary: half a hash, or part of a result. */
const windows = (hex: string): string[] => {
  const out: string[] = [];
  for (let at = 0; at + 32 <= hex.length; at += 2) out.push(hex.slice(at, at + 32));
  return out;
};

describe.skipIf(!hasFixtures)('no root, hash or response of a fixture is in the sources', () => {
  it('as hex or as a list of numbers', () => {
    const fixtures = loadFixtureTexts();
    expect(fixtures.length).toBeGreaterThan(1_000_000);
    expect(sources.length).toBeGreaterThan(100);
    const found: string[] = [];
    for (const path of sources) {
      const text = readFileSync(path, 'utf8');
      const written = text.toLowerCase().match(/[0-9a-f]{32,}/g) ?? [];
      for (const hex of [...written, ...numbersAsHex(text)].filter((one) => !isPublic(one)))
        for (const window of windows(hex))
          if (isTelling(window) && fixtures.includes(window)) found.push(`${path}: ${window}`);
    }
    expect(found).toEqual([]);
  });

  it('in a Wasm program of the worker', () => {
    const expected = readFileSync(fixturePath('chains/expected.json'), 'utf8').toLowerCase();
    const hashes = [...expected.matchAll(/0x([0-9a-f]{64})\b/g)].map(([, hash]) => hash as string);
    expect(hashes.length).toBeGreaterThan(3);
    expect(programs.length).toBeGreaterThan(0);
    for (const path of programs) {
      const hex = readFileSync(path).toString('hex');
      expect(hashes.filter((hash) => hex.includes(hash))).toEqual([]);
    }
  });
});

describe('the search itself', () => {
  it('finds a hash in either form, in full or half', () => {
    const hash = Array.from({ length: 32 }, (_, at) => (at * 37 + 11) & 255);
    const hex = hash.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    expect(numbersAsHex(`Uint8Array.of(${hash.join(', ')})`)).toEqual([hex]);
    expect(numbersAsHex(`[${hash.map((byte) => `0x${byte.toString(16)}`).join(',')}]`)).toEqual([hex]);
    expect(windows(hex)).toContain(hex.slice(32));
    expect(isTelling('00'.repeat(16))).toBe(false);
  });
});
