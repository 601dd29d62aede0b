import { createSubscriber } from 'svelte/reactivity';
import type { UiNode } from '../client/ui-node.ts';
import type { MetaLoader } from '../meta/load.ts';
import type { RuntimeMeta } from '../meta/types.ts';

/** The metadata of the chain's runtimes. The decoder is loaded on first use. */
export class Metas {
  #node: UiNode;
  #loader: Promise<MetaLoader> | null = null;
  #best = $state.raw<RuntimeMeta | null>(null);
  #fault = $state.raw<unknown>(null);
  #watch: () => void;

  constructor(node: UiNode) {
    this.#node = node;
    this.#watch = createSubscriber(() => this.#open());
  }

  /** Metadata of the best block's runtime; null until loaded, replaced after an upgrade. */
  get best(): RuntimeMeta | null {
    this.#watch();
    return this.#best;
  }

  /** Why the metadata could not be read. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Metadata of the runtime at the block with this hash; null for the best block. */
  async at(hash: string | null): Promise<RuntimeMeta> {
    this.#loader ??= import('../meta/load.ts').then(({ createMetaLoader }) => createMetaLoader(this.#node));
    const loader = await this.#loader.catch((fault: unknown) => {
      // Allow another attempt to import the code.
      this.#loader = null;
      throw fault;
    });
    return loader.at(hash);
  }

  #open(): () => void {
    const subscription = this.#node.subscribe(
      'state_subscribeRuntimeVersion',
      [],
      'state_unsubscribeRuntimeVersion',
      () => void this.read(),
    );
    subscription.opened.catch((fault: unknown) => {
      this.#fault = fault;
    });
    return () => subscription.close();
  }

  /** Reloads the best block's metadata: automatically after an upgrade, manually after a failure. */
  async read(): Promise<void> {
    try {
      this.#best = await this.at(null);
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault;
    }
  }
}
