import { here, linkWith } from '../state/route.svelte.ts';

/** A place of the same block: the address's `at` goes along. */
export const keepAt = (panel: string, ...parts: readonly (string | number)[]): string =>
  linkWith({ at: here().query.get('at') }, panel, ...parts);
