import { readListedMethods } from './listed-methods.ts';
import type { UiNode } from './ui-node.ts';

/** The methods that the node lists (`rpc_methods`), in alphabetical order. */
export class MethodNames {
  #node: Pick<UiNode, 'request' | 'offers'>;
  #list = $state.raw<readonly string[]>([]);
  #fault = $state.raw<unknown>(null);

  constructor(node: Pick<UiNode, 'request' | 'offers'>) {
    this.#node = node;
    void this.read();
  }

  /** Empty until loaded. */
  get list(): readonly string[] {
    return this.#list;
  }

  /** Whether the first answer is still to come, as while the node starts. */
  get isReading(): boolean {
    return this.#list.length === 0 && this.#fault === null;
  }

  /** Why the list could not be loaded. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Whether the node lists the method, and this page may call it. */
  has(method: string): boolean {
    return this.#list.includes(method) && this.#node.offers(method);
  }

  async read(): Promise<void> {
    try {
      this.#list = readListedMethods(await this.#node.request('rpc_methods', []));
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault;
    }
  }
}
