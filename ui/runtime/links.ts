import { here, linkWith } from '../state/route.svelte.ts';

/** A place of the runtime's panel at the block that is looked at. */
export const runtimeLink = (
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | null>> = {},
): string => linkWith({ ...query, at: here().query.get('at') ?? null }, 'runtime', ...parts);
