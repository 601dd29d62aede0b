import { createSubscriber } from 'svelte/reactivity';
import type { UiNode } from '../state/ui-node.ts';

/** Name and version of the best block's runtime, live while somebody reads them. */
export class RunningVersion {
  #text = $state.raw<string | null>(null);
  #watch: () => void;

  constructor(node: Pick<UiNode, 'subscribe'>) {
    this.#watch = createSubscriber(() => {
      const subscription = node.subscribe(
        'state_subscribeRuntimeVersion',
        [],
        'state_unsubscribeRuntimeVersion',
        (item) => {
          const { specName, specVersion } = item as { specName: string; specVersion: number };
          this.#text = `${specName} ${specVersion}`;
        },
      );
      subscription.opened.catch(() => undefined);
      return () => subscription.close();
    });
  }

  /** `tabnode 100`; null until it is known. */
  get text(): string | null {
    this.#watch();
    return this.#text;
  }
}
