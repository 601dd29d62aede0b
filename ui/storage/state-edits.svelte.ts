import { untrack } from 'svelte';
import type { Actions } from '../client/action.svelte.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { PageContext } from '../state/page-context.ts';

/** A value that was set or deleted by hand. */
export type StateEdit = {
  readonly id: number;
  /** The full key, as a 0x string. */
  readonly key: string;
  /** The value that it replaced; null if there was none. */
  readonly before: string | null;
  /** The value that was written; null if the key was deleted. */
  readonly after: string | null;
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

  add(edit: Omit<StateEdit, 'id'>): void {
    this.#list = [{ ...edit, id: ++this.#count }, ...this.#list];
  }

  /** Whether the value is no longer what the last edit of the key wrote: undoing it would revert that, too. */
  async isOvertaken(node: UiNode, { key }: StateEdit): Promise<boolean> {
    const now = await node.rpc.state_getStorage({ key });
    return now !== (this.last(key)?.after?.toLowerCase() ?? null);
  }

  /** Forgets the edits of blocks that the chain has left: their state is gone with them. */
  rollBack(best: number): void {
    this.#list = this.#list.filter(({ block }) => block === null || block <= best);
  }

  /**
   * Writes the earlier value into the best block, and returns whether it did. Forgets the edit, and later ones of the
   * same key.
   */
  async undo(actions: Actions, { id, key, before }: StateEdit): Promise<boolean> {
    const isDone = (await actions.run('Undoing the edit', 'dev_setStorage', [[[key, before]]])) !== null;
    if (isDone) this.#list = this.#list.filter((edit) => edit.key !== key || edit.id < id);
    return isDone;
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
