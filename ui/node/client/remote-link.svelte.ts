import { NodeError } from '../../../src/protocol/errors.ts';
import { openRemote, type RemoteNode } from '../../../src/remote.ts';
import { toNodeError } from '../../kit/text/format.ts';
import { noteNode } from './known-nodes.ts';
import { toUiNode } from './tab-node.ts';
import type { UiNode } from './ui-node.ts';

/** State of the connection; `node` is the last connected one, for data still shown from it. */
export type LinkPhase =
  /** `error`: why the last attempt failed. */
  | { readonly kind: 'connecting'; readonly node: UiNode | null; readonly error: NodeError | null }
  | { readonly kind: 'open'; readonly node: UiNode }
  /** Reconnects automatically after `waitMs`. */
  | {
      readonly kind: 'lost';
      readonly node: UiNode | null;
      readonly error: NodeError;
      readonly waitMs: number;
    }
  /** Not retried automatically, because that would not help. */
  | { readonly kind: 'refused'; readonly node: UiNode | null; readonly error: NodeError };

const leastWaitMs = 500;
const mostWaitMs = 30_000;

type Parts = {
  readonly open: (address: string) => Promise<RemoteNode>;
  /** Schedules a function; the returned function cancels it. */
  readonly later: (run: () => void, ms: number) => () => void;
};

const ownParts: Parts = {
  open: openRemote,
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The page's connection to a remote node, reopened when it is lost. Each connection is a new `UiNode`. */
export class RemoteLink {
  readonly address: string;
  #parts: Parts;
  phase = $state.raw<LinkPhase>({ kind: 'connecting', node: null, error: null });
  #tries = 0;
  #turn = 0;
  #cancel: () => void = () => undefined;

  constructor(address: string, parts: Partial<Parts> = {}) {
    this.address = address;
    this.#parts = { ...ownParts, ...parts };
  }

  /** Connects now, without waiting for the next retry; keeps an open connection. */
  async connect(): Promise<void> {
    const before = this.phase;
    if (before.kind === 'open') return;
    const turn = ++this.#turn;
    this.#cancel();
    this.phase = { kind: 'connecting', node: before.node, error: before.error };
    try {
      const remote = await this.#parts.open(this.address);
      if (turn === this.#turn) this.#take(remote);
      else remote.connection.close();
    } catch (fault) {
      if (turn === this.#turn) this.#fail(toNodeError(fault));
    }
  }

  /** Closes the connection permanently. */
  close(): void {
    this.#turn += 1;
    this.#cancel();
    if (this.phase.kind === 'open') void this.phase.node.stop();
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
    this.phase = { kind: 'open', node };
  }

  #fail(fault: NodeError): void {
    const { node } = this.phase;
    // It accepted this page before: a bridge, for example, refuses all while the page behind it reloads.
    const isPassing = fault.code === 'NotAllowed' && node !== null;
    const error = isPassing
      ? new NodeError(
          'Disconnected',
          `${this.address} accepts no connection at the moment. If it is a bridge, the page behind it may be gone.`,
        )
      : fault;
    if (error.code !== 'Disconnected') {
      this.phase = { kind: 'refused', node, error };
      return;
    }
    const waitMs = Math.min(mostWaitMs, leastWaitMs * 2 ** this.#tries);
    this.#tries += 1;
    this.phase = { kind: 'lost', node, error, waitMs };
    this.#cancel = this.#parts.later(() => void this.connect(), waitMs);
  }
}
