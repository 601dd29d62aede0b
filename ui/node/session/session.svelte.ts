import type { NodeError } from '../../../src/index.ts';
import { linkToChain, readPlace } from '../../kit/page/route.svelte.ts';
import { faultText, toNodeError } from '../../kit/text/format.ts';
import type { ChainModes } from '../client/chain-modes.ts';
import type { Traffic } from '../client/traffic.svelte.ts';
import { isSameChain, type OpenNode, type StartWatch, type UiNode } from '../client/ui-node.ts';
import { addressChain, leaveAddress } from './address.ts';
import type { ChainBook } from './chain-book.svelte.ts';
import type { ChainEntry, ChainNetwork, ChainOrigin, ChainPayload } from './chain-entry.ts';
import type { Launched, Phase } from './phase.ts';
import { rememberModes } from './remember-modes.ts';
import { sealAtFirst } from './seal-at-first.ts';
import { askTabs, freeChain, hearTabs, type Wish } from './take-over.ts';

/** A runtime from a file. */
export type RuntimeFile = { readonly name: string; readonly bytes: Uint8Array };

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
  notice = $state.raw<string | null>(null);
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
    hearTabs((chain, wish) => this.#release(chain, wish));
    book.onchange = () => this.#checkList();
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The running node; null if there is none. */
  get node(): UiNode | null {
    return this.#phase.kind === 'running' ? this.#phase.node : null;
  }

  /** The chain that is open, being opened or closed, or broken; null if there is none. */
  get entry(): ChainEntry | null {
    const phase = this.#phase;
    return 'entry' in phase && phase.kind !== 'deleted'
      ? (this.book.find(phase.entry.id) ?? phase.entry)
      : null;
  }

  /** Opens the chain named in the URL, or the most recently opened one. */
  async begin(): Promise<void> {
    const turn = this.#turn;
    const { chain } = readPlace(location.hash);
    if (this.book.lacks(chain)) await this.book.recover(chain);
    const { last } = this.book;
    if (last !== null && turn === this.#turn) await (chain === null ? this.start(last) : this.#open(chain));
    // The copy of the list that a page starts with can have a chain that was deleted since; nobody asked for that one.
    if (chain === null && this.#phase.kind === 'deleted') await this.#openLast();
    void this.book.recover(chain);
  }

  async #openLast(): Promise<void> {
    const { last } = this.book;
    if (last === null) this.#phase = { kind: 'none' };
    else await this.start(last);
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
    this.notice = null;
    if (entry !== null) return this.start(entry);
    const turn = ++this.#turn;
    await this.#end();
    if (turn === this.#turn) this.#phase = { kind: 'unknown', id };
  }

  /** `take` receives the node while it starts, if the chain was open before. */
  async #launch(entry: ChainEntry, take?: (node: UiNode) => void, watch: StartWatch = {}): Promise<Launched> {
    const modes = this.book.modes(entry.id);
    const { source, ...own } = await this.book.startOf(entry);
    const opened = await this.#openNode(entry.id, source, modes, {
      inMemory: this.inMemory,
      ...own,
      known: this.book.identity(entry.id),
      traffic: () => this.traffic,
      take: (node) => take?.(this.#remember(entry.id, node)),
      ...watch,
    });
    return { node: this.#opened(entry, opened), toConsole: opened.toConsole };
  }

  /** Shows a node that has started, unless another chain was asked for meanwhile. */
  async #run(entry: ChainEntry, { node, toConsole }: Launched, turn: number): Promise<void> {
    if (turn !== this.#turn) return node.stop();
    node.onDown((error) => this.#down(node, error));
    toConsole?.();
    this.book.opened(entry);
    this.#phase = { kind: 'running', entry, node };
    // Before the page is painted, whose links have the chain of the address.
    addressChain(entry.id);
    // Another tab may have deleted it meanwhile.
    this.#checkList();
  }

  /**
   * Creates a chain and opens it. The open chain runs on until the new one has started; rejects if it does not start. `states` is
   * which of its states it keeps. With the `modes` of an exported chain, it seals no block until `fill` has ended, not even after a
   * reload. `isLookOnly`: nor one that the node has no key for. See `sealAtFirst` for the others.
   */
  async create(
    name: string,
    origin: ChainOrigin,
    payload: ChainPayload | null,
    modes: ChainModes | null = null,
    states: ChainModes['states'] = 'recent',
    isLookOnly = false,
    watch: StartWatch = {},
    network?: ChainNetwork,
  ): Promise<void> {
    this.filling = modes !== null;
    try {
      const marks = { isPartial: modes !== null, isLookOnly, ...(network && { network }) };
      await this.book.create(name, origin, payload, marks, async (made, add) => {
        const seal = sealAtFirst(origin, modes !== null || isLookOnly, network !== undefined);
        this.book.keepModes(made.id, { ...modes, ...seal, states });
        const launched = await this.#launch(made, undefined, watch);
        await add().catch(async (fault: unknown) => {
          await launched.node.stop().catch(() => undefined);
          throw fault;
        });
        const turn = ++this.#turn;
        await this.#end();
        await this.#run(made, launched, turn);
      });
    } catch (fault) {
      this.filling = false;
      throw fault;
    }
  }

  /**
   * Deletes a chain, whichever tab runs its node; all tabs leave it. If it was open here, the last one that was open before is
   * opened.
   */
  async remove(entry: ChainEntry): Promise<void> {
    const { id } = entry;
    const wasOpen = this.entry?.id === id;
    const node = wasOpen ? this.node : null;
    const turn = wasOpen ? ++this.#turn : this.#turn;
    // This tab leaves it first: one that sees the end of the node would start the chain itself.
    if (wasOpen) this.#phase = { kind: 'closing', entry, what: 'Deleting' };
    try {
      await this.book.remove(id, async () => node?.stop().catch(() => undefined));
    } catch (fault) {
      if (wasOpen && turn === this.#turn) await this.start(entry);
      this.notice = `“${entry.name}” could not be deleted: ${faultText(fault)}`;
      throw fault;
    }
    if (!wasOpen || turn !== this.#turn) return;
    leaveAddress(id);
    await this.#openLast();
  }

  /** Leaves a chain that another tab deletes; opens it again if it could not be deleted. */
  #checkList(): void {
    const { entry, node, book } = this;
    const phase = this.#phase;
    // A new chain of this id is another one.
    if (phase.kind === 'deleted' && book.find(phase.entry.id)?.createdMs === phase.entry.createdMs)
      void this.start(phase.entry);
    if (entry === null || phase.kind === 'closing' || book.find(entry.id) !== null) return;
    this.#turn += 1;
    this.#phase = { kind: 'deleted', entry };
    leaveAddress(entry.id);
    void node?.stop().catch(() => undefined);
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
    this.#checkList();
    if (turn !== this.#turn) return;
    addressChain(entry.id);
    const launched = this.#launch(entry, (node) => {
      if (turn === this.#turn) this.#phase = { kind: 'starting', entry, node };
    });
    const error = await launched.then((one) => this.#run(entry, one, turn)).catch(toNodeError);
    if (error && turn === this.#turn)
      this.#phase =
        error.code === 'ChainInUse'
          ? { kind: 'inUse', entry, why: 'open' }
          : { kind: 'failed', entry, error };
    // The chain may have been deleted before, so that the node has created its database anew.
    await this.book.refresh();
    if (this.book.find(entry.id) === null) await this.book.sweep(entry.id);
  }

  /** Opens a chain that another tab has open; that tab stops its node. */
  async takeOver(entry: ChainEntry): Promise<void> {
    const isInUse = () => this.#phase.kind === 'inUse';
    await this.#open(entry.id);
    if (!isInUse()) return;
    const turn = this.#turn;
    this.#phase = { kind: 'starting', entry, node: null };
    this.#freeing = entry.id;
    await askTabs(entry.id).finally(() => {
      this.#freeing = null;
    });
    if (turn !== this.#turn) return;
    await this.start(entry);
    if (isInUse()) this.#phase = { kind: 'inUse', entry, why: 'kept' };
  }

  /**
   * Handles another tab's wish for a chain; resolves to whether this tab ran its node and has stopped it.
   */
  async #release(chain: string, wish: Wish): Promise<boolean> {
    const phase = this.#phase;
    // The request came from this page.
    if (chain === this.#freeing || phase.kind === 'closing') return false;
    const isHere = phase.kind === 'running' || phase.kind === 'starting';
    if (!isHere || phase.entry.id !== chain || this.filling) return false;
    this.#turn += 1;
    this.#phase = { kind: 'inUse', entry: phase.entry, why: wish === 'over' ? 'closed' : 'taken' };
    if (phase.kind === 'starting') return false;
    await phase.node.stop().catch(() => undefined);
    // Otherwise another tab runs the node; it receives the same request and releases the chain.
    return !phase.node.isElsewhere;
  }

  /** Stops the node, in other tabs too, and shows the first-run screen, or the repair screen for `repair`. */
  async close(repair: ChainEntry | null = null): Promise<void> {
    const phase = this.#phase;
    this.#turn += 1;
    if (phase.kind === 'running') {
      const { entry, node } = phase;
      const turn = this.#turn;
      this.#phase = { kind: 'closing', entry, what: 'Closing' };
      await freeChain(entry.id, node.isElsewhere);
      await node.stop().catch(() => undefined);
      if (turn !== this.#turn) return;
    }
    this.#phase = repair === null ? { kind: 'none' } : { kind: 'repair', entry: repair };
  }

  readonly #remember = (id: string, node: UiNode): UiNode =>
    rememberModes(this.book, id, node, () => this.filling);

  /** The node that is shown already, unless it is another chain's or another tab runs it. */
  #opened(entry: ChainEntry, opened: UiNode): UiNode {
    const phase = this.#phase;
    this.book.keepIdentity(entry.id, opened.info);
    const shown = phase.kind === 'starting' && phase.entry.id === entry.id ? phase.node : null;
    return shown !== null && isSameChain(shown.info, opened.info) && !opened.isElsewhere
      ? shown
      : this.#remember(entry.id, opened);
  }

  readonly #end = async (): Promise<void> => this.node?.stop().catch(() => undefined);

  #down(node: UiNode, error: NodeError): void {
    const phase = this.#phase;
    if (phase.kind !== 'running' || phase.node !== node) return;
    const restart = () => (this.#phase === phase ? this.start(phase.entry) : null);
    // Another tab has ended it, maybe in order to delete the chain.
    if (node.isElsewhere || error.code === 'ChainInUse') void this.book.refresh().then(restart);
    else this.#phase = { kind: 'dead', entry: phase.entry, error };
  }
}
