import { SvelteMap } from 'svelte/reactivity';
import type { Json } from '../meta/types.ts';
import type { Bench } from '../state/bench.ts';

/** A value that is being written: as it stands in the form, and its bytes as 0x text, null while it has none. */
export type ValueDraft = { readonly value: Json; readonly bytes: string | null };

/** What was written and not set, by the whole key as 0x text: it waits for whoever comes back to the key. */
export const valueDrafts = ({ keep }: Pick<Bench, 'keep'>): Map<string, ValueDraft> =>
  keep('storage drafts', () => new SvelteMap<string, ValueDraft>());
