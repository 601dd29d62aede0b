import { SvelteMap } from 'svelte/reactivity';
import type { Json } from '../meta/types.ts';
import { saveAtEnd } from '../page/disposable.svelte.ts';
import { isShape, isText, orNull } from '../page/guards.ts';
import { readKeptList, writeKeptList } from '../page/kept.ts';
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

type KeptDraft = ValueDraft & { readonly id: string };

const isDraft = isShape<KeptDraft>({
  id: isText,
  value: (value): value is Json => value !== undefined,
  bytes: orNull(isText),
  broken: orNull(isText),
});

/**
 * Unsaved edits by full storage key (0x string), kept for when the user returns to the key, also across a
 * reload of the window.
 */
export const valueDrafts = ({ keep, node }: Pick<PageContext, 'keep' | 'node'>): Map<string, ValueDraft> =>
  keep('storage drafts', (ended) => {
    const kept = `tabnode.drafts.${node.info.genesisHash}`;
    const list = (readKeptList(sessionStorage, kept, isDraft) ?? []).toReversed();
    const drafts = new SvelteMap(list.map(({ id, ...draft }): [string, ValueDraft] => [id, draft]));
    saveAtEnd(ended, () => {
      const newest = [...drafts].map(([id, draft]): KeptDraft => ({ id, ...draft })).reverse();
      writeKeptList(sessionStorage, kept, newest, maxKept);
    });
    return drafts;
  });
