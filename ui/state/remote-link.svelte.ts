import { NodeError } from '../../src/index.ts';
import { openRemote, type RemoteNode } from '../../src/remote.ts';
import { faultText } from './format.ts';
import { noteNode } from './known-nodes.ts';
import { toUiNode } from './tab-node.ts';
import type { UiNode } from './ui-node.ts';

/** Where the connection stands; `node` is the one that was connected last, for what is still shown of it. */
export type LinkPhase =
  /** `error`: why the last attempt failed. */
  | { readonly kind: 'connecting'; readonly node: UiNode | null; readonly error: NodeError | null }
  | { readonly kind: 'open'; readonly node: UiNode }
  /** Tries again by itself after `waitMs`. */
  | {
      readonly kind: 'lost';
      readonly node: UiNode | null;
      readonly error: NodeError;
      readonly waitMs: number;
    }
  /** Trying again by itself would not help. */
  | { readonly kind: 'refused'; readonly node: UiNode | null; readonly error: NodeError };

const leastWaitMs = 500;
const mostWaitMs = 30_000;

const toNodeError = (fault: unknown): NodeError =>
  fault instanceof NodeError ? fault : new NodeError('Disconnected', faultText(fault), { cause: fault });

type Parts = {
  readonly open: (address: string) => Promise<RemoteNode>;
  /** Runs something later unless the returned function is called before. */
  readonly later: (run: () => void, ms: number) => () => void;
};

const ownParts: Parts = {
  open: openRemote,
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The connection of the page to a node elsewhere, opened again whenever it is lost. Each is another node to the page. */
export class RemoteLink {
  readonly address: string;
  #parts: Parts;
  #phase = $state.raw<LinkPhase>({ kind: 'connecting', node: null, error: null });
  #tries = 0;
  #turn = 0;
  #cancel: () => void = () => undefined;

  constructor(address: string, parts: Partial<Parts> = {}) {
    this.address = address;
    this.#parts = { ...ownParts, ...parts };
  }

  get phase(): LinkPhase {
    return this.#phase;
  }

  /** Connects now, whatever it waits for; an open connection stays. */
  async connect(): Promise<void> {
    const before = this.#phase;
    if (before.kind === 'open') return;
    const turn = ++this.#turn;
    this.#cancel();
    this.#phase = { kind: 'connecting', node: before.node, error: before.error };
    try {
      const remote = await this.#parts.open(this.address);
      if (turn === this.#turn) this.#take(remote);
      else remote.connection.close();
    } catch (fault) {
      if (turn === this.#turn) this.#fail(toNodeError(fault));
    }
  }

  /** Ends the connection for good. */
  close(): void {
    this.#turn += 1;
    this.#cancel();
    if (this.#phase.kind === 'open') void this.#phase.node.stop();
  }

  #take(remote: RemoteNode): void {
    const { connection, methods, url, software, info } = remote;
    const turn = this.#turn;
    const node = toUiNode(remote, connection, {
      isFresh: true,
      isElsewhere: false,
      remote: { url, software },
      methods,
      end: async () => connection.close(),
    });
    noteNode({ id: url, chain: info.chainName });
    node.onDown((error) => {
      if (turn === this.#turn) this.#fail(error);
    });
    this.#tries = 0;
    this.#phase = { kind: 'open', node };
  }

  #fail(error: NodeError): void {
    const { node } = this.#phase;
    if (error.code !== 'Disconnected') {
      this.#phase = { kind: 'refused', node, error };
      return;
    }
    const waitMs = Math.min(mostWaitMs, leastWaitMs * 2 ** this.#tries);
    this.#tries += 1;
    this.#phase = { kind: 'lost', node, error, waitMs };
    this.#cancel = this.#parts.later(() => void this.connect(), waitMs);
  }
}
