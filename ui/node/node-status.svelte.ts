import { createSubscriber } from 'svelte/reactivity';
import type { NodeStatus } from '../../src/index.ts';
import { coalesce } from '../kit/page/coalesce.ts';
import { throttle } from '../kit/page/throttle.ts';
import type { UiNode } from './client/ui-node.ts';

const everyMs = 2000;
const restMs = 200;

/**
 * The node's status, read once for all parts of the page that show something of it: every two seconds while one of them
 * does, and soon after something has happened.
 */
export class SharedStatus {
  #now = $state.raw<NodeStatus | null>(null);
  #watch: () => void;
  /** Reads again soon: something has happened. */
  readonly refresh = throttle(() => void this.read().catch(() => undefined), restMs);
  /**
   * Reads again. A read in progress may return older values, so it is followed by one more, which all callers share.
   * Rejects with the node's errors.
   */
  readonly read: () => Promise<void>;

  /** `onread` is called with each status that is read. */
  constructor(node: Pick<UiNode, 'status'>, onread: (status: NodeStatus) => void = () => undefined) {
    this.read = coalesce(async () => {
      const status = await node.status();
      this.#now = status;
      onread(status);
    });
    this.#watch = createSubscriber(() => {
      const timer = setInterval(this.refresh, everyMs);
      this.refresh();
      return () => clearInterval(timer);
    });
  }

  /** Null until it is read. Kept up to date while something reads it. */
  get now(): NodeStatus | null {
    this.#watch();
    return this.#now;
  }

  /** The status, read again. Rejects with the node's errors. */
  async load(): Promise<NodeStatus> {
    await this.read();
    return this.#now as NodeStatus;
  }

  /** The last status that was read, without keeping it up to date. */
  get last(): NodeStatus | null {
    return this.#now;
  }
}
