import { NodeError, type SealMode } from '../../src/index.ts';
import type { ChainBook } from '../chains/chain-book.svelte.ts';
import type { ChainEntry } from '../chains/chain-entry.ts';
import { faultText } from './format.ts';
import { linkToChain, readPlace } from './route.svelte.ts';
import type { OpenNode, UiNode } from './ui-node.ts';

/** Where the node of this page stands. */
export type Phase =
  | { readonly kind: 'none' }
  | { readonly kind: 'starting'; readonly entry: ChainEntry }
  | { readonly kind: 'running'; readonly entry: ChainEntry; readonly node: UiNode }
  | { readonly kind: 'inUse'; readonly entry: ChainEntry }
  | { readonly kind: 'failed'; readonly entry: ChainEntry; readonly error: NodeError }
  | { readonly kind: 'dead'; readonly entry: ChainEntry; readonly error: NodeError };

/** One block at once and then every 2 s (DESIGN §4). */
const pageSeal: SealMode = { kind: 'interval', ms: 2000 };

const toNodeError = (fault: unknown): NodeError =>
  fault instanceof NodeError ? fault : new NodeError('Disconnected', faultText(fault), { cause: fault });

/** The node's life in this page: one chain at a time, started once, started again when asked. */
export class Session {
  #phase = $state.raw<Phase>({ kind: 'none' });
  #open: OpenNode;
  readonly book: ChainBook;
  #turn = 0;

  constructor(open: OpenNode, book: ChainBook) {
    this.#open = open;
    this.book = book;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The running node. */
  get node(): UiNode | null {
    return this.#phase.kind === 'running' ? this.#phase.node : null;
  }

  /** The chain that is open, being opened or broken. */
  get entry(): ChainEntry | null {
    return this.#phase.kind === 'none' ? null : (this.book.find(this.#phase.entry.id) ?? this.#phase.entry);
  }

  /** Opens the chain that the address names, else the last one. */
  async begin(): Promise<void> {
    const entry = this.book.find(readPlace(location.hash).chain) ?? this.book.last;
    if (entry !== null) await this.start(entry);
  }

  /** Follows an address that names another chain. */
  follow(): void {
    const wanted = this.book.find(readPlace(location.hash).chain);
    if (wanted !== null && wanted.id !== this.entry?.id) void this.start(wanted);
  }

  /** Ends the node of the page, if there is one, and starts the chain; also the one restart button. */
  async start(entry: ChainEntry, seal: SealMode = pageSeal): Promise<void> {
    const turn = ++this.#turn;
    // Nothing is waited for where nothing runs: the first paint of the page shows that it starts.
    if (this.node !== null) {
      await this.#end();
      if (turn !== this.#turn) return;
    }
    this.#phase = { kind: 'starting', entry };
    if (readPlace(location.hash).chain !== entry.id) this.#write(entry);
    try {
      const node = await this.#open(entry.id, await this.book.source(entry), seal);
      if (turn !== this.#turn) {
        await node.stop();
        return;
      }
      node.onDown((error) => this.#down(node, error));
      this.book.opened(entry);
      this.#phase = { kind: 'running', entry, node };
    } catch (fault) {
      if (turn !== this.#turn) return;
      const error = toNodeError(fault);
      this.#phase = error.code === 'ChainInUse' ? { kind: 'inUse', entry } : { kind: 'failed', entry, error };
    }
  }

  /** Starts a chain with the blocks of a file in it, before any of its own. */
  async startWith(entry: ChainEntry, seal: SealMode, fill: (node: UiNode) => Promise<void>): Promise<void> {
    await this.start(entry, seal);
    const phase = this.#phase;
    if (phase.kind === 'failed' || phase.kind === 'dead') throw phase.error;
    if (phase.kind !== 'running') return;
    await fill(phase.node);
    await phase.node.setSeal(pageSeal);
  }

  /** Ends the node and shows the first-run screen. */
  async close(): Promise<void> {
    this.#turn += 1;
    await this.#end();
    this.#phase = { kind: 'none' };
  }

  async #end(): Promise<void> {
    if (this.#phase.kind === 'running') await this.#phase.node.stop().catch(() => undefined);
  }

  /** A place without a chain gets the chain; one of another chain begins anew. */
  #write(entry: ChainEntry): void {
    const { chain, panel } = readPlace(location.hash);
    const rest = location.hash.replace(/^#?\/?/, '');
    const link =
      chain === null && rest !== ''
        ? `#/@${entry.id}/${rest}`
        : linkToChain(entry.id, chain === null ? panel : undefined);
    history.replaceState(null, '', link);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }

  #down(node: UiNode, error: NodeError): void {
    const phase = this.#phase;
    if (phase.kind !== 'running' || phase.node !== node) return;
    this.#phase = { kind: 'dead', entry: phase.entry, error };
  }
}
