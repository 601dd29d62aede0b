import type { NodeError, SealMode } from '../../src/index.ts';
import type { ChainModes } from '../client/chain-modes.ts';
import type { Traffic } from '../client/traffic.svelte.ts';
import type { OpenNode, UiNode } from '../client/ui-node.ts';
import { linkToChain, readPlace } from '../page/route.svelte.ts';
import { toNodeError } from '../text/format.ts';
import type { ChainBook } from './chain-book.svelte.ts';
import type { ChainEntry, ChainOrigin, ChainPayload } from './chain-entry.ts';
import type { Phase } from './phase.ts';
import { askTabs, freeChain, hearTabs } from './take-over.ts';

/** A runtime from a file. */
export type RuntimeFile = { readonly name: string; readonly bytes: Uint8Array };

/** No block of this node may come between imported ones. */
const noSeal: SealMode = { kind: 'manual' };
const setters: ReadonlySet<string> = new Set(['dev_setSealMode', 'dev_setFinality']);

/** Manages the node of this page: one chain at a time, restarted on request. */
export class Session {
  #phase = $state.raw<Phase>({ kind: 'none' });
  #openNode: OpenNode;
  readonly book: ChainBook;
  #turn = 0;
  /** Whether blocks are being imported: the chain stays open, and its seal mode is not the user's. */
  filling = false;
  /** Whether chains are kept in memory from now on. */
  inMemory = false;
  /** What the user has to know although the page that could show it is gone; null once it is dismissed. */
  told = $state.raw<string | null>(null);
  /** The chain that this page is requesting from other tabs. */
  #freeing: string | null = null;
  /** What is stored on the disk, as the page that shows the node observes it; null until it does. */
  disk: { readonly bytes: number | null; readonly growth: string } | null = null;
  /** The log of the page that shows the node. */
  traffic: Traffic | null = null;
  #upgrade = $state.raw<{ readonly file: RuntimeFile; readonly chain: string } | null>(null);

  constructor(open: OpenNode, book: ChainBook) {
    this.#openNode = open;
    this.book = book;
    hearTabs((chain, isOver) => this.#release(chain, isOver));
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The running node; null if there is none. */
  get node(): UiNode | null {
    return this.#phase.kind === 'running' ? this.#phase.node : null;
  }

  /** The chain that is open, being opened or broken; null if there is none. */
  get entry(): ChainEntry | null {
    const phase = this.#phase;
    return 'entry' in phase ? (this.book.find(phase.entry.id) ?? phase.entry) : null;
  }

  /** Opens the chain named in the URL, or the most recently opened one. */
  async begin(): Promise<void> {
    const turn = this.#turn;
    const { chain } = readPlace(location.hash);
    if (this.book.lacks(chain)) await this.book.recover(chain);
    const { last } = this.book;
    if (last !== null && turn === this.#turn) await (chain === null ? this.start(last) : this.#open(chain));
    void this.book.recover(chain);
  }

  /** Passes a runtime to the panel that upgrades the open chain. */
  offerUpgrade(file: RuntimeFile): void {
    const { entry } = this;
    if (entry === null) return;
    this.#upgrade = { file, chain: entry.id };
    location.hash = `${linkToChain(entry.id, 'send')}/upgrade`;
  }

  /** The runtime that was last dropped for the open chain. */
  get upgrade(): RuntimeFile | null {
    return this.#upgrade !== null && this.#upgrade.chain === this.entry?.id ? this.#upgrade.file : null;
  }

  /** Opens another chain if the URL names one. */
  follow(): void {
    const { chain } = readPlace(location.hash);
    if (chain !== null && chain !== this.entry?.id && this.book.last !== null) void this.#open(chain);
  }

  /** A chain that is not in this browser is reported as unknown; no other chain is opened instead. */
  async #open(id: string): Promise<void> {
    const entry = this.book.find(id);
    this.told = null;
    if (entry !== null) return this.start(entry);
    const turn = ++this.#turn;
    await this.#end();
    if (turn === this.#turn) this.#phase = { kind: 'unknown', id };
  }

  /** `take` receives the node while it starts, if the chain was open before. */
  async #launch(entry: ChainEntry, take?: (node: UiNode) => void): Promise<UiNode> {
    const modes = this.book.modes(entry.id);
    const source = await this.book.source(entry);
    const opened = await this.#openNode(entry.id, source, modes, {
      inMemory: this.inMemory,
      known: this.book.identity(entry.id),
      traffic: () => this.traffic,
      take: (node) => take?.(this.#remember(entry, node)),
    });
    return this.#opened(entry, opened);
  }

  /** Shows a node that has started, unless another chain was asked for meanwhile. */
  async #run(entry: ChainEntry, node: UiNode, turn: number): Promise<void> {
    if (turn !== this.#turn) return node.stop();
    node.onDown((error) => this.#down(node, error));
    this.book.opened(entry);
    this.#phase = { kind: 'running', entry, node };
  }

  /**
   * Creates a chain and opens it. The open chain runs on until the new one has started; rejects if it does not
   * start. `states` is which of its states it keeps. With the `modes` of an exported chain, it seals no block until `fill` has ended, not even after a
   * reload.
   */
  async create(
    name: string,
    origin: ChainOrigin,
    payload: ChainPayload | null,
    modes: ChainModes | null = null,
    states: ChainModes['states'] = 'recent',
  ): Promise<void> {
    this.filling = modes !== null;
    try {
      const entry = await this.book.create(name, origin, payload, async (made) => {
        this.book.keepModes(made.id, { ...(modes !== null && { ...modes, seal: noSeal }), states });
        const node = await this.#launch(made);
        const turn = ++this.#turn;
        await this.#end();
        await this.#run(made, node, turn);
        this.#write(made);
      });
      if (modes !== null) this.book.change(entry.id, { isPartial: true });
    } catch (fault) {
      this.filling = false;
      throw fault;
    }
  }

  /** Deletes a chain; if it was open, the last one that was open before is opened. */
  async remove({ id }: ChainEntry): Promise<void> {
    const wasOpen = this.entry?.id === id;
    if (wasOpen) await this.close();
    await this.book.remove(id);
    const next = this.book.last;
    if (wasOpen && next !== null) await this.start(next);
  }

  /** Stops the running node, if any, and starts the chain; also used to restart it. */
  async start(entry: ChainEntry): Promise<void> {
    const turn = ++this.#turn;
    // Without a running node nothing is awaited here, so that the first paint already shows the starting
    // state.
    if (this.node !== null) {
      await this.#end();
      if (turn !== this.#turn) return;
    }
    this.#phase = { kind: 'starting', entry, node: null };
    if (readPlace(location.hash).chain !== entry.id) this.#write(entry);
    try {
      const take = (node: UiNode): void => {
        if (turn === this.#turn) this.#phase = { kind: 'starting', entry, node };
      };
      await this.#run(entry, await this.#launch(entry, take), turn);
    } catch (fault) {
      if (turn !== this.#turn) return;
      const error = toNodeError(fault);
      this.#phase =
        error.code === 'ChainInUse'
          ? { kind: 'inUse', entry, why: 'open' }
          : { kind: 'failed', entry, error };
    }
  }

  /** Opens a chain that another tab has open; that tab stops its node. */
  async takeOver(entry: ChainEntry): Promise<void> {
    const isInUse = () => this.#phase.kind === 'inUse';
    // Another tab may have deleted it.
    this.book.read();
    await this.#open(entry.id);
    if (!isInUse()) return;
    const turn = this.#turn;
    this.#phase = { kind: 'starting', entry, node: null };
    await this.#ask(entry.id, () => askTabs(entry.id));
    if (turn !== this.#turn) return;
    await this.start(entry);
    if (isInUse()) this.#phase = { kind: 'inUse', entry, why: 'kept' };
  }

  /** Sends a request to the other tabs, and ignores it in this one. */
  async #ask(chain: string, ask: () => Promise<unknown>): Promise<void> {
    this.#freeing = chain;
    await ask().finally(() => {
      this.#freeing = null;
    });
  }

  /**
   * Handles another tab's request for a chain; resolves to whether this tab ran its node and has stopped it.
   */
  async #release(chain: string, isOver: boolean): Promise<boolean> {
    const phase = this.#phase;
    // The request came from this page.
    if (chain === this.#freeing) return false;
    const isHere = phase.kind === 'running' || phase.kind === 'starting';
    if (!isHere || phase.entry.id !== chain || this.filling) return false;
    this.#turn += 1;
    this.#phase = { kind: 'inUse', entry: phase.entry, why: isOver ? 'closed' : 'taken' };
    if (phase.kind === 'starting') return false;
    await phase.node.stop().catch(() => undefined);
    // Otherwise another tab runs the node; it receives the same request and releases the chain.
    return !phase.node.isElsewhere;
  }

  /** Stops the node, in other tabs too, and shows the first-run screen, or the repair screen for `repair`. */
  async close(repair: ChainEntry | null = null): Promise<void> {
    this.#turn += 1;
    const phase = this.#phase;
    // This page hears its own message too, maybe before the node has stopped.
    if (phase.kind === 'running')
      await this.#ask(phase.entry.id, async () => {
        await freeChain(phase.entry.id, phase.node.isElsewhere);
        await this.#end();
      });
    this.#phase = repair === null ? { kind: 'none' } : { kind: 'repair', entry: repair };
  }

  /** Stores the modes reported in each status, whichever client set them, for the next start. */
  #remember(entry: ChainEntry, node: UiNode): UiNode {
    const status = async () => {
      const now = await node.status();
      const finality = now.finalityChosen ? now.finality : null;
      if (!this.filling) this.book.keepModes(entry.id, { seal: now.seal, finality });
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

  /** The node that is shown already, unless it is another chain's or another tab runs it. */
  #opened(entry: ChainEntry, opened: UiNode): UiNode {
    const phase = this.#phase;
    const { chainName, genesisHash } = opened.info;
    this.book.keepIdentity(entry.id, opened.info);
    const shown = phase.kind === 'starting' && phase.entry.id === entry.id ? phase.node : null;
    const isSame =
      shown?.info.genesisHash === genesisHash && shown.info.chainName === chainName && !opened.isElsewhere;
    return isSame ? shown : this.#remember(entry, opened);
  }

  async #end(): Promise<void> {
    if (this.#phase.kind === 'running') await this.#phase.node.stop().catch(() => undefined);
  }

  /** Adds the chain to a URL without one; replaces a URL of another chain with the start page. */
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
    if (node.isElsewhere || error.code === 'ChainInUse') void this.start(phase.entry);
    else this.#phase = { kind: 'dead', entry: phase.entry, error };
  }
}
