import { SvelteMap } from 'svelte/reactivity';
import { writeJson } from '../../src/protocol/json.ts';
import type { Json } from '../meta/types.ts';
import { saveAtEnd } from '../page/disposable.svelte.ts';
import { parseList } from '../page/kept.ts';
import type { PageContext } from '../state/page-context.ts';

/** A value being edited. */
export type ValueDraft = {
  /** The value in the form; the last valid one if the JSON is incomplete. */
  readonly value: Json;
  /** Its encoding as a 0x string; null if it cannot be encoded. */
  readonly bytes: string | null;
  /** Incomplete JSON, as typed. */
  readonly broken: string | null;
};

/**
 * Maximum characters of all drafts of a chain stored across a reload; drafts that do not fit are left out.
 */
const maxKept = 200_000;

/** Serializes the newest drafts for session storage; null if there are none. */
export const writeDrafts = (drafts: Iterable<readonly [key: string, draft: ValueDraft]>): string | null => {
  let left = maxKept;
  const texts: string[] = [];
  for (const pair of [...drafts].reverse()) {
    const text = writeJson(pair);
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

/** Parses the output of `writeDrafts`; invalid entries are left out. */
export const readDrafts = (text: string | null): readonly (readonly [key: string, draft: ValueDraft])[] =>
  (parseList(text ?? '') ?? []).map(readPair).filter((pair) => pair !== null);

/**
 * Unsaved edits by full storage key (0x string), kept for when the user returns to the key, also across a
 * reload of the window.
 */
export const valueDrafts = ({ keep, node }: Pick<PageContext, 'keep' | 'node'>): Map<string, ValueDraft> =>
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
