import { untrack } from 'svelte';
import type { Actions } from '../client/action.svelte.ts';
import type { PageContext } from '../state/page-context.ts';

/** A value that was set or deleted by hand. */
export type StateEdit = {
  readonly id: number;
  /** The full key, as a 0x string. */
  readonly key: string;
  /** The value that it replaced; null if there was none. */
  readonly before: string | null;
  /** The best block when it was edited; null if none was known. */
  readonly block: number | null;
};

/** The edits of the state made here, newest first, which can be undone. */
export class StateEdits {
  #list = $state.raw<readonly StateEdit[]>([]);
  #count = 0;

  get list(): readonly StateEdit[] {
    return this.#list;
  }

  /** The last edit of a key; undefined if there is none. */
  last(key: string): StateEdit | undefined {
    return this.#list.find((edit) => edit.key === key);
  }

  add(key: string, before: string | null, block: number | null): void {
    this.#list = [{ id: ++this.#count, key, before, block }, ...this.#list];
  }

  /** Forgets the edits of blocks that the chain has left: their state is gone with them. */
  rollBack(best: number): void {
    this.#list = this.#list.filter(({ block }) => block === null || block <= best);
  }

  /** Writes the earlier value into the best block. Forgets the edit, and later ones of the same key. */
  async undo(actions: Actions, { id, key, before }: StateEdit): Promise<void> {
    if ((await actions.run('Undoing the edit', 'dev_setStorage', [[[key, before]]])) !== null)
      this.#list = this.#list.filter((edit) => edit.key !== key || edit.id < id);
  }
}

/** The edits of the open chain, kept until its node stops. */
export const stateEdits = ({ keep, chain }: Pick<PageContext, 'keep' | 'chain'>): StateEdits =>
  keep('storage edits', () => {
    const edits = new StateEdits();
    $effect(() => {
      const best = chain.best?.number;
      if (best !== undefined) untrack(() => edits.rollBack(best));
    });
    return edits;
  });
