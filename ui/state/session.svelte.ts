import { NodeError, type SealMode } from '../../src/index.ts';
import type { ChainBook } from '../chains/chain-book.svelte.ts';
import type { ChainEntry } from '../chains/chain-entry.ts';
import type { ChainModes } from '../chains/chain-modes.ts';
import { askTabs, freeChain, hearTabs } from '../chains/take-over.ts';
import { faultText } from './format.ts';
import { linkToChain, readPlace } from './route.svelte.ts';
import type { OpenNode, UiNode } from './ui-node.ts';

/** A runtime from a file. */
export type RuntimeFile = { readonly name: string; readonly bytes: Uint8Array };

/** Where the node of this page stands. */
export type Phase =
  | { readonly kind: 'none' }
  /** The address names a chain that is not among those of this browser. */
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'starting'; readonly entry: ChainEntry }
  | { readonly kind: 'running'; readonly entry: ChainEntry; readonly node: UiNode }
  /** Open in another tab: which took it from this one, or keeps it although it was asked for the chain. */
  | { readonly kind: 'inUse'; readonly entry: ChainEntry; readonly why: 'open' | 'taken' | 'kept' | 'closed' }
  | { readonly kind: 'repair'; readonly entry: ChainEntry }
  | { readonly kind: 'failed'; readonly entry: ChainEntry; readonly error: NodeError }
  | { readonly kind: 'dead'; readonly entry: ChainEntry; readonly error: NodeError };

const setters: ReadonlySet<string> = new Set(['dev_setSealMode', 'dev_setFinality']);

const toNodeError = (fault: unknown): NodeError =>
  fault instanceof NodeError ? fault : new NodeError('Disconnected', faultText(fault), { cause: fault });

/** The node's life in this page: one chain at a time, started once, started again when asked. */
export class Session {
  #phase = $state.raw<Phase>({ kind: 'none' });
  #openNode: OpenNode;
  readonly book: ChainBook;
  #turn = 0;
  #filling = false;
  /** The chain that this page asks the other tabs for. */
  #freeing: string | null = null;
  #upgrade = $state.raw<RuntimeFile | null>(null);

  constructor(open: OpenNode, book: ChainBook) {
    this.#openNode = open;
    this.book = book;
    hearTabs((chain, isOver) => this.#release(chain, isOver));
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
    const phase = this.#phase;
    return 'entry' in phase ? (this.book.find(phase.entry.id) ?? phase.entry) : null;
  }

  /** Opens the chain that the address names, the last one where it names none. */
  async begin(): Promise<void> {
    const turn = this.#turn;
    const { chain } = readPlace(location.hash);
    if (this.book.lacks(chain)) await this.book.recover(chain);
    const { last } = this.book;
    if (last !== null && turn === this.#turn) {
      if (chain === null) await this.start(last);
      else await this.#open(chain);
    }
    void this.book.recover(chain);
  }

  /** Hands a runtime to the panel that upgrades the open chain. */
  offerUpgrade(file: RuntimeFile): void {
    this.#upgrade = file;
    const { entry } = this;
    if (entry !== null) location.hash = `${linkToChain(entry.id, 'send')}/upgrade`;
  }

  /** The runtime that was dropped for the open chain, until it is taken. */
  get upgrade(): RuntimeFile | null {
    return this.#upgrade;
  }

  takeUpgrade(): void {
    this.#upgrade = null;
  }

  /** Follows an address that names another chain. */
  follow(): void {
    const { chain } = readPlace(location.hash);
    if (chain !== null && chain !== this.entry?.id && this.book.last !== null) void this.#open(chain);
  }

  /** A chain of another browser is not this one's to show, and no other stands in for it. */
  async #open(id: string): Promise<void> {
    const entry = this.book.find(id);
    if (entry !== null) {
      await this.start(entry);
      return;
    }
    const turn = ++this.#turn;
    await this.#end();
    if (turn === this.#turn) this.#phase = { kind: 'unknown', id };
  }

  /** Ends the node of the page, if there is one, and starts the chain; also the one restart button. */
  async start(entry: ChainEntry, seal: SealMode | null = null): Promise<void> {
    const turn = ++this.#turn;
    // Nothing is waited for where nothing runs: the first paint of the page shows that it starts.
    if (this.node !== null) {
      await this.#end();
      if (turn !== this.#turn) return;
    }
    this.#phase = { kind: 'starting', entry };
    if (readPlace(location.hash).chain !== entry.id) this.#write(entry);
    try {
      const modes = this.book.modes(entry.id);
      const source = await this.book.source(entry);
      const opened = await this.#openNode(entry.id, source, seal === null ? modes : { ...modes, seal });
      const node = this.#remember(entry, opened);
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
      this.#phase =
        error.code === 'ChainInUse'
          ? { kind: 'inUse', entry, why: 'open' }
          : { kind: 'failed', entry, error };
    }
  }

  /** Opens a chain here that another tab has open, which ends its node for it. */
  async takeOver(entry: ChainEntry): Promise<void> {
    const isInUse = () => this.#phase.kind === 'inUse';
    this.book.read();
    if (this.book.find(entry.id) === null) {
      // Another tab has deleted it.
      this.#turn += 1;
      this.#phase = { kind: 'unknown', id: entry.id };
      return;
    }
    await this.start(entry);
    if (!isInUse()) return;
    const turn = this.#turn;
    this.#phase = { kind: 'starting', entry };
    await this.#ask(entry.id, () => askTabs(entry.id));
    if (turn !== this.#turn) return;
    await this.start(entry);
    if (isInUse()) this.#phase = { kind: 'inUse', entry, why: 'kept' };
  }

  /** Asks the other tabs, among which this one is not. */
  async #ask(chain: string, ask: () => Promise<unknown>): Promise<void> {
    this.#freeing = chain;
    await ask();
    this.#freeing = null;
  }

  /** Another tab asked for the chain: whether this one had it, and has ended its node. */
  async #release(chain: string, isOver: boolean): Promise<boolean> {
    const phase = this.#phase;
    // This page's own question.
    if (chain === this.#freeing) return false;
    const isHere = phase.kind === 'running' || phase.kind === 'starting';
    if (!isHere || phase.entry.id !== chain || this.#filling) return false;
    this.#turn += 1;
    this.#phase = { kind: 'inUse', entry: phase.entry, why: isOver ? 'closed' : 'taken' };
    if (phase.kind === 'starting') return false;
    await phase.node.stop().catch(() => undefined);
    // The chain is free once the tab that runs its node, which hears the same, has ended it.
    return !phase.node.isElsewhere;
  }

  /** Starts a chain with the blocks of a file in it, before any of its own. */
  async startWith(
    entry: ChainEntry,
    seal: SealMode,
    fill: (node: UiNode) => Promise<unknown>,
  ): Promise<void> {
    this.#filling = true;
    try {
      await this.start(entry, seal);
      const phase = this.#phase;
      if (phase.kind === 'failed' || phase.kind === 'dead') throw phase.error;
      if (phase.kind !== 'running') return;
      await fill(phase.node);
      await phase.node.request('dev_setSealMode', [this.book.modes(entry.id).seal]);
    } finally {
      this.#filling = false;
    }
  }

  /** Brings blocks of a file into the open chain, in this seal mode meanwhile. */
  async fillOpen<T>(seal: SealMode, fill: (node: UiNode) => Promise<T>): Promise<T | null> {
    const { entry, node } = this;
    if (entry === null || node === null) return null;
    // Not what the book says: another client may have set it a moment ago.
    const { seal: before } = await node.status();
    this.#filling = true;
    try {
      await node.request('dev_setSealMode', [seal]);
      return await fill(node);
    } finally {
      await node.request('dev_setSealMode', [before]).catch(() => undefined);
      this.#filling = false;
    }
  }

  /** Takes chain time from elsewhere, for which the node starts anew. */
  async setClock(clock: ChainModes['clock']): Promise<void> {
    const { entry } = this;
    if (entry === null) return;
    this.book.keepModes(entry.id, { clock });
    await this.start(entry);
  }

  /** Ends the node, in other tabs too, and shows the first-run screen, or where a chain can be repaired. */
  async close(repair: ChainEntry | null = null): Promise<void> {
    this.#turn += 1;
    const phase = this.#phase;
    if (phase.kind === 'running')
      await this.#ask(phase.entry.id, () => freeChain(phase.entry.id, phase.node.isElsewhere));
    await this.#end();
    this.#phase = repair === null ? { kind: 'none' } : { kind: 'repair', entry: repair };
  }

  /** What any client sets shows in the status, which the bar asks for all the time: it is kept for the next start. */
  #remember(entry: ChainEntry, node: UiNode): UiNode {
    const status = async () => {
      const now = await node.status();
      const finality = now.finalityChosen ? now.finality : null;
      if (!this.#filling) this.book.keepModes(entry.id, { seal: now.seal, finality });
      return now;
    };
    const noted = async <T>(done: Promise<T>): Promise<T> => {
      const value = await done;
      await status().catch(() => undefined);
      return value;
    };
    return node.with({
      status,
      request: (method, params, options) => {
        const answer = node.request(method, params, options);
        return setters.has(method) ? noted(answer) : answer;
      },
    });
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
    if (node.isElsewhere) void this.start(phase.entry);
    else this.#phase = { kind: 'dead', entry: phase.entry, error };
  }
}
