import { SvelteMap } from 'svelte/reactivity';
import type { Json } from '../meta/types.ts';
import type { Bench } from '../state/bench.ts';
import { parseList } from '../state/kept.ts';
import { saveAtEnd } from '../state/lasting.svelte.ts';

/** A value that is being written. */
export type ValueDraft = {
  /** As it stands in the form; what it was last, where the JSON is not whole. */
  readonly value: Json;
  /** Its bytes as 0x text; null while it has none. */
  readonly bytes: string | null;
  /** JSON that is not whole, as it was typed. */
  readonly broken: string | null;
};

/** Characters of all drafts of a chain that outlive a reload; those that do not fit are left out. */
const maxKept = 200_000;

/** The newest drafts as one text for the browser's storage; null for none. */
export const writeDrafts = (drafts: Iterable<readonly [key: string, draft: ValueDraft]>): string | null => {
  let left = maxKept;
  const texts: string[] = [];
  for (const pair of [...drafts].reverse()) {
    const text = JSON.stringify(pair);
    if (text.length > left) continue;
    left -= text.length;
    texts.unshift(text);
  }
  return texts.length === 0 ? null : `[${texts.join(',')}]`;
};

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

const readPair = (pair: unknown): readonly [string, ValueDraft] | null => {
  const [key, draft] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
  if (typeof key !== 'string' || typeof draft !== 'object' || draft === null) return null;
  const { value, bytes, broken } = draft as Record<string, unknown>;
  return value !== undefined && isTextOrNull(bytes) && isTextOrNull(broken)
    ? [key, { value: value as Json, bytes, broken }]
    : null;
};

/** Reads what `writeDrafts` wrote; what is not of that form is left out. */
export const readDrafts = (text: string | null): readonly (readonly [key: string, draft: ValueDraft])[] =>
  (parseList(text ?? '') ?? []).map(readPair).filter((pair) => pair !== null);

/**
 * What was written and not set, by the whole key as 0x text: it waits for whoever comes back to the key, after a reload
 * of the window too.
 */
export const valueDrafts = ({ keep, node }: Pick<Bench, 'keep' | 'node'>): Map<string, ValueDraft> =>
  keep('storage drafts', (ended) => {
    const kept = `tabnode.drafts.${node.info.genesisHash}`;
    const drafts = new SvelteMap(readDrafts(sessionStorage.getItem(kept)));
    saveAtEnd(ended, () => {
      const text = writeDrafts(drafts);
      if (text === null) sessionStorage.removeItem(kept);
      else sessionStorage.setItem(kept, text);
    });
    return drafts;
  });
