import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const components = globSync('**/*.svelte', { cwd: fileURLToPath(new URL('../ui/', import.meta.url)) }).sort();

/**
 * The scope of a component's styles is its number: hashes, twice for each component, do not compress. What is no component
 * of ui/ has the hash of its path.
 */
export const styleScope = ({
  filename,
  hash,
}: {
  readonly filename: string;
  readonly hash: (text: string) => string;
}): string => {
  const at = components.findIndex((name) => `/${filename}`.endsWith(`/${name}`));
  return at < 0 ? `z-${hash(filename)}` : `z${at.toString(36)}`;
};
