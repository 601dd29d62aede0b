import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const components = globSync('**/*.svelte', { cwd: fileURLToPath(new URL('../ui/', import.meta.url)) }).sort();

/** The scope of a component's styles is its number: hashes, twice for each component, do not compress. */
export const styleScope = ({ filename }: { readonly filename: string }): string =>
  `z${components.findIndex((name) => filename.endsWith(`/ui/${name}`)).toString(36)}`;
