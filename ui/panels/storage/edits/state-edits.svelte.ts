import { untrack } from 'svelte';
import { isShape, isText, orNull } from '../../../kit/page/guards.ts';
import { type Persisted, persisted } from '../../../kit/page/persisted.ts';
import type { Actions } from '../../../node/client/action.svelte.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import type { SharedStatus } from '../../../node/node-status.svelte.ts';
import type { PageContext } from '../../../node/page-context.ts';

/** A value that was set or deleted by hand. */
export type StateEdit = {
  readonly id: string;
  /** The full key, as a 0x string. */
  readonly key: string;
  /** The value that it replaced; null if there was none. */
  readonly before: string | null;
  /** The value that was written; null if the key was deleted. */
  readonly after: string | null;
  /** Hash of the block whose state was edited. */
  readonly block: string;
  /** Hash of the block into which the earlier value was written again; undefined if it was not. */
  readonly undoneIn?: string | undefined;
};

const isEdit = isShape<StateEdit>({
  id: (value): value is string => isText(value) && /^\d{1,9}$/.test(value),
  key: isText,
  before: orNull(isText),
  after: orNull(isText),
  block: isText,
  undoneIn: (value): value is string | undefined => value === undefined || isText(value),
});

const newestFirst = (one: StateEdit, other: StateEdit): number => Number(other.id) - Number(one.id);

/** Undone edits that are kept. */
const mostUndone = 50;
/** Maximum characters of a chain's edits in the browser's storage. */
const maxKept = 200_000;

/** The edits of the state made here, newest first, which can be undone. A list with a key survives a reload. */
export class StateEdits {
  #kept: Persisted<StateEdit>;
  #all = $state.raw<readonly StateEdit[]>([]);
  /** Those that the last write had no room for. */
  #unstored: readonly StateEdit[] = [];
  /** Those that are not undone. */
  readonly list = $derived(this.#all.filter(({ undoneIn }) => undoneIn === undefined));
  readonly undone = $derived(this.#all.filter(({ undoneIn }) => undoneIn !== undefined));

  /** The list is stored under the id `chain`; it follows the edits of other tabs until `ended` is aborted. */
  constructor(chain: string | null, ended?: AbortSignal) {
    const key = chain === null ? null : `tabnode.edits.${chain}`;
    this.#kept = persisted({
      ...{ store: localStorage, key, isMember: isEdit, limit: maxKept, ended },
      list: () => this.#all,
      merge: () => this.#read(),
    });
    this.#read();
  }

  #read(): void {
    this.#all = [...this.#kept.read(), ...this.#unstored].sort(newestFirst);
  }

  /** Changes the list as it is stored, because other tabs change it too. */
  #change(change: (all: readonly StateEdit[]) => readonly StateEdit[]): void {
    this.#read();
    const all = change(this.#all);
    const old = all.filter(({ undoneIn }) => undoneIn !== undefined).slice(mostUndone);
    const list = all.filter((edit) => !old.includes(edit));
    this.#all = list;
    this.#kept.write();
    const stored = new Set(this.#kept.read().map(({ id }) => id));
    this.#unstored = list.filter(({ id }) => !stored.has(id));
  }

  /** The last edit of a key; undefined if there is none. */
  last(key: string): StateEdit | undefined {
    return this.list.find((edit) => edit.key === key);
  }

  add(edit: Omit<StateEdit, 'id'>): StateEdit {
    let added = { ...edit, id: '' };
    this.#change((all) => {
      added = { ...edit, id: `${Math.max(0, ...all.map(({ id }) => Number(id))) + 1}` };
      return [added, ...all];
    });
    return added;
  }

  /** Forgets edits that were undone by other means. */
  forget(gone: readonly StateEdit[]): void {
    const ids = new Set(gone.map(({ id }) => id));
    this.#change((all) => all.filter(({ id }) => !ids.has(id)));
  }

  /** Whether these blocks, whose state was edited by hand, were edited only here; false if there are none. */
  covers(edited: ReadonlySet<string>): boolean {
    const own = new Set(this.#all.flatMap(({ block, undoneIn }) => [block, undoneIn]));
    return edited.size > 0 && [...edited].every((block) => own.has(block));
  }

  /** Whether the value is no longer what the last edit of the key wrote: undoing it would revert that, too. */
  async isOvertaken(node: UiNode, { key }: StateEdit): Promise<boolean> {
    const now = await node.rpc.state_getStorage({ key });
    return now !== (this.last(key)?.after?.toLowerCase() ?? null);
  }

  /** Whether there are edits of other blocks than these. */
  hasOther(edited: readonly string[]): boolean {
    return this.#all.some(({ block }) => !edited.includes(block));
  }

  /** Forgets the edits of blocks that the chain has left: their state is gone with them. */
  async forgetGone(status: SharedStatus): Promise<void> {
    const asked = this.#all;
    if (asked.length === 0) return;
    const { edited } = await status.load();
    const gone = asked.filter(({ block }) => !edited.includes(block));
    if (gone.length > 0) this.forget(gone);
  }

  /**
   * Writes the earlier value into the best block, and returns whether it did. The edit, and later ones of the same key,
   * are undone then.
   */
  async undo(actions: Actions, edit: StateEdit): Promise<boolean> {
    const { key, before } = edit;
    const done = await actions.run('Undoing the edit', 'dev_setStorage', [[[key, before]]]);
    if (done === null) return false;
    const isUndone = (one: StateEdit): boolean =>
      one.key === key && Number(one.id) >= Number(edit.id) && one.undoneIn === undefined;
    this.#change((all) => all.map((one) => (isUndone(one) ? { ...one, undoneIn: done.value } : one)));
    return true;
  }
}

/** The edits of the open chain. */
export const stateEdits = (context: Pick<PageContext, 'keep' | 'session' | 'status'>): StateEdits => {
  const { keep, session, status } = context;
  return keep('storage edits', (ended) => {
    const edits = new StateEdits(session?.entry?.id ?? null, ended);
    $effect(() => {
      const edited = status.now?.edited;
      // That status may be older than an edit: only one that is read now tells. A stopped node is reported elsewhere.
      if (edited !== undefined && untrack(() => edits.hasOther(edited)))
        void edits.forgetGone(status).catch(() => undefined);
    });
    return edits;
  });
};
