import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const components = globSync('**/*.svelte', { cwd: fileURLToPath(new URL('../ui/', import.meta.url)) }).sort();

/**
 * The scope of a component's styles is its number: hashes, twice for each component, do not compress. Throws for what is no
 * component of ui/, as two of one scope would style each other.
 */
export const styleScope = ({ filename }: { readonly filename: string }): string => {
  const at = components.findIndex((name) => `/${filename}`.endsWith(`/${name}`));
  if (at < 0) throw new TypeError(`${filename} is no component of ui/`);
  return `z${at.toString(36)}`;
};
