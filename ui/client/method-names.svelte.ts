import type { UiNode } from './ui-node.ts';

/** The methods that the node offers (`rpc_methods`), in alphabetical order. */
export class MethodNames {
  #node: Pick<UiNode, 'request'>;
  #list = $state.raw<readonly string[]>([]);
  #fault = $state.raw<unknown>(null);

  constructor(node: Pick<UiNode, 'request'>) {
    this.#node = node;
    void this.read();
  }

  /** Empty until loaded. */
  get list(): readonly string[] {
    return this.#list;
  }

  /** Why the list could not be loaded. */
  get fault(): unknown {
    return this.#fault;
  }

  has(method: string): boolean {
    return this.#list.includes(method);
  }

  async read(): Promise<void> {
    try {
      const { methods } = await this.#node.request('rpc_methods', []);
      this.#list = methods.toSorted();
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault;
    }
  }
}
