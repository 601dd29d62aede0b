import type { ForkProgress } from '../../../src/index.ts';
import { isOneOf } from '../../kit/page/guards.ts';
import { attempt, faultText, toNodeError } from '../../kit/text/format.ts';
import type { StartWatch } from '../../node/client/ui-node.ts';
import { keepForkEntry } from '../../node/fork/fork-name.ts';
import { openWithFork, takeKeptFork } from '../../node/fork/kept-fork.ts';
import { forkOf } from '../../node/live-chain/fork-place.ts';
import type { ChainOrigin } from '../../node/session/chain-entry.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { checkEndpoints, readBlock, readEndpoints, type Target } from './check-endpoints.ts';

/** What is wrong, and with which field of the form. */
type Fault = { readonly field: 'endpoints' | 'block' | 'form'; readonly text: string };

const isOfEndpoint = isOneOf(
  'EndpointFailed',
  'EndpointLied',
  'EndpointUnfit',
  'Disconnected',
  'NotAllowed',
  'Unsupported',
);
const isOfBlock = isOneOf('UnknownBlock', 'NotCached');

/** The form that forks a live chain, and the start of the fork. */
export class ForkStart {
  endpoints = $state('');
  block = $state('');
  fault = $state.raw<Fault | null>(null);
  /** What it does; null while it does nothing. */
  stage = $state.raw<'connecting' | 'reading' | 'opening' | null>(null);
  progress = $state.raw<ForkProgress | null>(null);
  /** The name that was typed before the page was reloaded for this form; null if it was not. */
  readonly continued: string | null;
  #stopping = new AbortController();
  readonly #session: Session;
  readonly #page: Pick<Location, 'search' | 'assign'>;

  constructor(session: Session, page: Pick<Location, 'search' | 'assign'> = location) {
    this.#session = session;
    this.#page = page;
    const named = forkOf(page.search);
    const kept = takeKeptFork();
    this.continued = kept?.name ?? null;
    this.endpoints = kept?.endpoints ?? named.join(' ');
    this.block = kept?.block ?? new URLSearchParams(page.search).get('block') ?? '';
  }

  /** The public chains that are known by name, once the form shows them. */
  chains = $state.raw<readonly (readonly [name: string, title: string])[]>([]);

  async loadChains(): Promise<void> {
    const { liveChains } = await import('../../../src/live-chains.ts');
    this.chains = Object.entries(liveChains).map(([name, { title }]) => [name, title]);
  }

  /** Ends the start. What was written of the chain is deleted. */
  cancel(): void {
    this.#stopping.abort();
  }

  #read<T>(field: Fault['field'], read: () => T): T | null {
    const { value, fault } = attempt(read);
    if (fault === null) return value;
    this.fault = { field, text: fault };
    return null;
  }

  /** Null: it is not right. */
  async #readTarget(read: Target | Promise<Target>): Promise<Target | null> {
    try {
      return await read;
    } catch (error) {
      this.fault = { field: 'endpoints', text: faultText(error) };
      return null;
    }
  }

  /**
   * Resolves to whether the chain runs. If not, `fault` says why, or it was canceled, or the page is reloaded. An empty name
   * stands for that of the live chain.
   */
  async run(name: string): Promise<boolean> {
    if (this.stage !== null) return false;
    this.fault = null;
    this.progress = null;
    const typed = this.#read('endpoints', () => readEndpoints(this.endpoints));
    const block = typed && this.#read('block', () => readBlock(this.block));
    if (typed === null || block === null) return false;
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    this.stage = 'connecting';
    let endpoints: readonly string[] = [];
    try {
      const target = await this.#readTarget(typed);
      if (target === null) return false;
      endpoints = target.addresses;
      const { chainName } = await checkEndpoints(target, signal);
      this.stage = 'reading';
      const origin = { kind: 'fork', endpoints, block } as const;
      const watch = { signal, onProgress: (progress: ForkProgress) => (this.progress = progress) };
      await this.#create(name.trim() || `Fork of ${chainName}`, origin, watch);
      return true;
    } catch (error) {
      if (!signal.aborted && !this.#reload(error, endpoints, name)) this.#tell(error);
      return false;
    } finally {
      this.stage = null;
    }
  }

  /**
   * Opens a fork from a file, which `dev_exportFork` has written. Resolves to whether it runs; if not, `fault` says why, and
   * nothing was stored.
   */
  async open(name: string, pack: Uint8Array): Promise<boolean> {
    if (this.stage !== null) return false;
    this.fault = null;
    this.progress = null;
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    this.stage = 'opening';
    try {
      await this.#create(name.trim() || 'Fork', { kind: 'fork', endpoints: [], block: '' }, { signal, pack });
      return true;
    } catch (error) {
      if (!signal.aborted) this.fault = { field: 'form', text: faultText(error) };
      return false;
    } finally {
      this.stage = null;
    }
  }

  /** A fork that nobody has named is named after its base, which is known once it runs. */
  async #create(name: string, origin: ChainOrigin, watch: StartWatch): Promise<void> {
    await this.#session.create(name, origin, null, null, 'archive', false, watch);
    const { book, entry, node } = this.#session;
    const base = node?.base();
    if (entry && node && base) await keepForkEntry(book, entry, { name: node.info.chainName, base });
  }

  /** A page server allows the nodes that the page's URL names, so the page is opened again with them. */
  #reload(error: unknown, endpoints: readonly string[], name: string): boolean {
    const named = forkOf(this.#page.search);
    const isRefused = toNodeError(error).details['isPolicy'] === true;
    if (!isRefused || endpoints.every((one) => named.includes(one))) return false;
    openWithFork({ endpoints: this.endpoints, block: this.block, name }, endpoints, this.#page);
    return true;
  }

  #tell(error: unknown): void {
    const { code } = toNodeError(error);
    const isEndpoint = isOfEndpoint(code) || code === 'BadConfig';
    const field = isEndpoint ? 'endpoints' : isOfBlock(code) ? 'block' : 'form';
    this.fault = { field, text: faultText(error) };
  }
}
