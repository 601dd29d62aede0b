import { SvelteMap } from 'svelte/reactivity';
import { writeJson } from '../../../../src/protocol/json.ts';
import type { Json } from '../../../../src/scale/types.ts';
import { saveAtEnd } from '../../../kit/page/disposable.svelte.ts';
import { isShape, isText, orNull } from '../../../kit/page/guards.ts';
import { readKeptList, writeKeptList } from '../../../kit/page/kept.ts';
import type { PageContext } from '../../../node/page-context.ts';

/** A value being edited. */
export type ValueDraft = {
  /** The value in the form; the last valid one if the JSON is incomplete. */
  readonly value: Json;
  /** Its encoding as a 0x string; null if it cannot be encoded. */
  readonly bytes: string | null;
  /** Incomplete JSON, as typed. */
  readonly broken: string | null;
  /** Whether it was too large to keep over a reload, and all that is left of it is that there was one. */
  readonly isLost?: boolean;
};

/** Maximum characters of all drafts of a chain stored across a reload. */
const maxKept = 200_000;

type KeptDraft = ValueDraft & { readonly id: string };

const isDraft = isShape<KeptDraft>({
  id: isText,
  value: (value): value is Json => value !== undefined,
  bytes: orNull(isText),
  broken: orNull(isText),
});

/** The drafts as they are kept, the newest first: of those that do not fit, only the keys. */
const keptDrafts = (drafts: ReadonlyMap<string, ValueDraft>): readonly KeptDraft[] => {
  let left = maxKept;
  return [...drafts].reverse().map(([id, draft]) => {
    const size = writeJson(draft).length;
    if (size > left) return { id, value: null, bytes: null, broken: null, isLost: true };
    left -= size;
    return { id, ...draft };
  });
};

/** What a reload does to the draft of a key that is too large to keep, or did; null for others. */
export const keepFault = (drafts: ReadonlyMap<string, ValueDraft>, key: string): string | null => {
  const kept = keptDrafts(drafts).find(({ id }) => id === key);
  if (!kept?.isLost) return null;
  return drafts.get(key)?.isLost
    ? 'There was no room to keep this draft over a reload. Enter the value again.'
    : 'There is no room to keep this draft over a reload.';
};

/**
 * Unsaved edits by full storage key (0x string), kept for when the user returns to the key, also across a
 * reload of the window.
 */
export const valueDrafts = ({ keep, node }: Pick<PageContext, 'keep' | 'node'>): Map<string, ValueDraft> =>
  keep('storage drafts', (ended) => {
    const kept = `tabnode.drafts.${node.info.genesisHash}`;
    const list = (readKeptList(sessionStorage, kept, isDraft) ?? []).toReversed();
    const drafts = new SvelteMap(list.map(({ id, ...draft }): [string, ValueDraft] => [id, draft]));
    // Keys that are lost take more room.
    saveAtEnd(ended, () => writeKeptList(sessionStorage, kept, keptDrafts(drafts), 2 * maxKept));
    return drafts;
  });
