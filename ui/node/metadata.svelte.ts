import { createSubscriber } from 'svelte/reactivity';
import type { MetaLoader } from '../../src/scale/load.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import type { UiNode, UiSubscription } from './client/ui-node.ts';

/** The metadata of the chain's runtimes. The decoder is loaded on first use. */
export class MetadataOfBlocks {
  #node: UiNode;
  #loader: Promise<MetaLoader> | null = null;
  #best = $state.raw<RuntimeMeta | null>(null);
  #written = $state.raw<RuntimeMeta | null>(null);
  #isOnly = $state.raw(true);
  /** The wait for the block after an upgrade. */
  #heads: UiSubscription | null = null;
  #turn = 0;
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

  /**
   * Metadata of the runtime that executed the best block, and so wrote the values in its state; null until loaded.
   * After an upgrade it is replaced one block later than `best`.
   */
  get written(): RuntimeMeta | null {
    this.#watch();
    return this.#written;
  }

  /** Whether all blocks since the page was opened have had one runtime, so that `written` describes them all. */
  get isOnly(): boolean {
    return this.written !== null && this.#isOnly;
  }

  /** Why the metadata could not be read. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Metadata of the runtime in the state of the block with this hash; null for the best block. */
  async at(hash: string | null): Promise<RuntimeMeta> {
    return (await this.#load()).at(hash);
  }

  /**
   * Metadata of the runtime that executed the block, for everything in the block and the values in its state
   * (`MetaLoader`).
   */
  async of(...block: Parameters<MetaLoader['of']>): Promise<RuntimeMeta> {
    return (await this.#load()).of(...block);
  }

  async #load(): Promise<MetaLoader> {
    this.#loader ??= import('../../src/scale/load.ts').then(({ createMetaLoader }) =>
      createMetaLoader(this.#node),
    );
    return this.#loader.catch((fault: unknown) => {
      // Allow another attempt to import the code.
      this.#loader = null;
      throw fault;
    });
  }

  #open(): () => void {
    const subscription = this.#follow('state_subscribeRuntimeVersion', 'state_unsubscribeRuntimeVersion');
    subscription.opened.catch((fault: unknown) => {
      this.#fault = fault;
    });
    return () => {
      // What is being read is dropped.
      this.#turn++;
      subscription.close();
      this.#rest();
    };
  }

  #follow(method: string, unsubscribe: string): UiSubscription {
    const subscription = this.#node.subscribe(method, [], unsubscribe, () => void this.read());
    subscription.opened.catch(() => undefined);
    return subscription;
  }

  #rest(): void {
    this.#heads?.close();
    this.#heads = null;
  }

  /** Reloads the best block's metadata: automatically after an upgrade, manually after a failure. */
  async read(): Promise<void> {
    const turn = ++this.#turn;
    try {
      const [best, written] = await Promise.all([this.at(null), this.of(null)]);
      if (turn !== this.#turn) return;
      if (written !== best || (this.#best ?? best) !== best) this.#isOnly = false;
      this.#best = best;
      this.#written = written;
      this.#fault = null;
      // In the block of an upgrade the two differ, until the next block.
      if (written === best) this.#rest();
      else this.#heads ??= this.#follow('chain_subscribeNewHeads', 'chain_unsubscribeNewHeads');
    } catch (fault) {
      if (turn === this.#turn) this.#fault = fault;
    }
  }
}
