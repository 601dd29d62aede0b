import { linkWith, readPlace } from '../state/route.svelte.ts';

/** A place of the same block: the address's `at` goes along. */
export const keepAt = (panel: string, ...parts: readonly (string | number)[]): string =>
  linkWith({ at: readPlace(location.hash).query.get('at') }, panel, ...parts);
