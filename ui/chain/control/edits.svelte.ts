import { createSubscriber } from 'svelte/reactivity';
import type { UiNode } from '../../client/ui-node.ts';
import { blocksRestMs, throttle } from '../../page/throttle.ts';

/**
 * The blocks whose state was edited by hand. Read again with each best block notification, which an edit of
 * the best block sends too.
 */
export class Edits {
  #node: Pick<UiNode, 'status' | 'subscribe'>;
  #hashes = $state.raw<ReadonlySet<string>>(new Set());
  #watch: () => void;

  constructor(node: Pick<UiNode, 'status' | 'subscribe'>) {
    this.#node = node;
    this.#watch = createSubscriber(() => {
      const onHead = throttle(() => void this.#read(), blocksRestMs);
      void this.#read();
      const heads = node.subscribe('chain_subscribeNewHeads', [], 'chain_unsubscribeNewHeads', onHead);
      heads.opened.catch(() => undefined);
      return () => heads.close();
    });
  }

  get hashes(): ReadonlySet<string> {
    this.#watch();
    return this.#hashes;
  }

  async #read(): Promise<void> {
    try {
      const { edited } = await this.#node.status();
      if (edited.length !== this.#hashes.size || edited.some((hash) => !this.#hashes.has(hash)))
        this.#hashes = new Set(edited);
    } catch {
      // A stopped node is reported elsewhere.
    }
  }
}
