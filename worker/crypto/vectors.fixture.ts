import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'vitest';

const folder = new URL('../../../shared/fixtures/', import.meta.url);

/** `describe` for a fixture file; reported as skipped if the shared fixtures are missing. */
export const describeFixture = <T>(path: string, body: (content: T) => void): void => {
  const url = new URL(path, folder);
  if (existsSync(url)) describe(path, () => body(JSON.parse(readFileSync(url, 'utf8')) as T));
  else test.skip(`${path}: fixture absent`, () => {});
};

/** A copy with one bit flipped. */
export const flip = (bytes: Uint8Array, bit: number): Uint8Array => {
  const out = bytes.slice();
  out[bit >> 3] = (out[bit >> 3] as number) ^ (1 << (bit & 7));
  return out;
};
