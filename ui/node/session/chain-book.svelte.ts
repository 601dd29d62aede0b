import type { ChainSource, NodeOptions } from '../../../src/index.ts';
import { writeJson } from '../../../src/protocol/json.ts';
import { openListChannel } from '../../kit/page/list-channel.ts';
import { type ChainModes, readModes } from '../client/chain-modes.ts';
import type { ChainIdentity } from '../client/ui-node.ts';
import {
  type ChainEntry,
  type ChainOrigin,
  type ChainPayload,
  chainId,
  freeName,
  named,
  toChainSource,
} from './chain-entry.ts';
import { forgetKept, readListCopy, writeListCopy } from './list-copy.ts';

/** Ids of the chains that were open, the latest first. */
const lastKey = 'tabnode.chain';
const keptIds = 8;
const identityKey = (id: string): string => `tabnode.identity.${id}`;
const modesKey = (id: string): string => `tabnode.modes.${id}`;

/** Not needed for the first paint. */
const loadStore = () => import('./chain-store.ts');

/** What the library needs to start a chain, besides its modes. */
type ChainStart = Pick<NodeOptions, 'keys' | 'network'> & {
  readonly source: ChainSource;
  readonly linksTabs?: boolean;
};

type Change = (all: readonly ChainEntry[]) => readonly ChainEntry[];

/**
 * The chains of this browser; each has its own database. The list is in the page's own database, where several tabs can change
 * it at once; a page starts with a copy in local storage, which can be read synchronously. Chains missing from the list are
 * recovered from their databases.
 */
export class ChainBook {
  /** Without those that are being deleted. */
  #entries = $state.raw(readListCopy());
  /** Whether the page's own database works. Otherwise the list lasts as long as the page. */
  #isStored = false;
  #turns: Promise<unknown> = Promise.resolve();
  #refreshing: Promise<void> | null = null;
  #recovered: Promise<void> | null = null;
  readonly #tellTabs = openListChannel<null>(
    'tabnode.list',
    new AbortController().signal,
    () => void this.refresh(),
  );

  /** Called whenever the list was read or changed. */
  onchange: () => void = () => undefined;

  /** Reads the list, which other tabs may have changed. Never rejects: without a database there is nothing to read. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#inTurn(async () => {
      // A change that comes from now on may be missing in what is read.
      this.#refreshing = null;
      await this.#take((await loadStore()).readEntries());
    }).catch(() => undefined);
    return this.#refreshing;
  }

  /** Changes the list, whatever other tabs do to it at the same time. */
  async #change(change: Change): Promise<void> {
    await this.#inTurn(async () => {
      const { changeEntries } = await loadStore();
      await this.#take(changeEntries(change)).catch((fault: unknown) => {
        if (this.#isStored) throw fault;
        this.#show(change(this.#entries));
      });
    });
    this.#tellTabs(null);
  }

  /** One at a time, so that what is shown last was read last. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turns.then(work);
    this.#turns = done.catch(() => undefined);
    return done;
  }

  async #take(stored: Promise<readonly ChainEntry[]>): Promise<void> {
    const all = await stored;
    this.#isStored = true;
    this.#show(all);
  }

  #show(all: readonly ChainEntry[]): void {
    const entries = all.filter(({ isDeleted }) => !isDeleted);
    writeListCopy(entries);
    if (writeJson(entries) !== writeJson(this.#entries)) this.#entries = entries;
    this.onchange();
  }

  get entries(): readonly ChainEntry[] {
    return this.#entries;
  }

  find(id: string | null): ChainEntry | null {
    return this.#entries.find((entry) => entry.id === id) ?? null;
  }

  get #openedIds(): readonly string[] {
    return localStorage.getItem(lastKey)?.split(' ') ?? [];
  }

  /** The most recently opened chain that still exists, or the first one; null if there are none. */
  get last(): ChainEntry | null {
    return this.#openedIds.map((id) => this.find(id)).find(Boolean) ?? this.#entries[0] ?? null;
  }

  /** Ids that the list should have. */
  #hints(id: string | null): readonly string[] {
    return [id, ...this.#openedIds.slice(0, 1)].filter((one) => one !== null);
  }

  /** Whether the list is empty, or lacks the given chain or the most recently opened one. */
  lacks(id: string | null): boolean {
    return this.#entries.length === 0 || this.#hints(id).some((one) => this.find(one) === null);
  }

  /**
   * Restores stored chains that are missing from the list, and ends deletions that a reload interrupted. Runs once per page,
   * before a new id is assigned.
   */
  recover(hint: string | null = null): Promise<void> {
    this.#recovered ??= this.#recover(hint);
    return this.#recovered;
  }

  async #recover(hint: string | null): Promise<void> {
    try {
      const { findChains } = await import('./find-chains.ts');
      await findChains(this.#hints(hint));
      this.#tellTabs(null);
    } catch {
      // Without IndexedDB there are no stored chains.
    }
    await this.refresh();
  }

  /** The name this chain will get: with a number appended if a chain other than `id` already uses it. */
  freeName(name: string, id: string | null = null): string {
    return freeName(
      name,
      this.#entries.filter((entry) => entry.id !== id).map((entry) => entry.name),
    );
  }

  opened(entry: ChainEntry): void {
    const others = this.#openedIds.filter((id) => id !== entry.id);
    localStorage.setItem(lastKey, [entry.id, ...others].slice(0, keptIds).join(' '));
  }

  /** How the chain was sealed, finalized and timed when it was last open. */
  modes(id: string): ChainModes {
    return readModes(localStorage.getItem(modesKey(id)));
  }

  keepModes(id: string, change: Partial<ChainModes>): void {
    const before = this.modes(id);
    const text = writeJson({ ...before, ...change });
    if (text !== writeJson(before)) localStorage.setItem(modesKey(id), text);
  }

  /** What the chain was when it was last open; null if it was not, or if that is damaged. */
  identity(id: string): ChainIdentity | null {
    const text = localStorage.getItem(identityKey(id)) ?? '';
    if (!/^0x[0-9a-f]{64} ./.test(text)) return null;
    return { genesisHash: text.slice(0, 66), chainName: text.slice(67) };
  }

  keepIdentity(id: string, { genesisHash, chainName }: ChainIdentity): void {
    localStorage.setItem(identityKey(id), `${genesisHash} ${chainName}`);
  }

  /**
   * Creates a chain; one that does not start leaves nothing behind. `begin` starts it, and then adds it to the list before
   * it is shown: a chain that is shown and not in the list was deleted.
   */
  async create(
    name: string,
    origin: ChainOrigin,
    payload: ChainPayload | null = null,
    marks: Pick<ChainEntry, 'isPartial' | 'isLookOnly' | 'network'> = {},
    begin: (entry: ChainEntry, add: () => Promise<void>) => Promise<void> = (_entry, add) => add(),
  ): Promise<ChainEntry> {
    await this.recover();
    const { savePayload, deleteUnlisted, inTurn } = await loadStore();
    return inTurn(async (taken) => {
      const id = chainId(name, [...this.#entries.map((one) => one.id), ...taken]);
      const entry: ChainEntry = { ...marks, id, name: this.freeName(name), origin, createdMs: Date.now() };
      // A tab may have stored something of a former chain of this id after its deletion.
      forgetKept(id);
      try {
        if (payload !== null) await savePayload(id, payload);
        await begin(entry, () => this.#add(entry));
      } catch (fault) {
        await deleteUnlisted(id).catch(() => undefined);
        throw fault;
      }
      return this.find(id) ?? entry;
    });
  }

  /** A tab that has found the database of a copy may have added it before. */
  #add(entry: ChainEntry): Promise<void> {
    const isOther = ({ id }: ChainEntry) => id !== entry.id;
    return this.#change((all) => [...all.filter(isOther), named(entry, entry.name, all)]);
  }

  /** Copies a chain that is not running. */
  async duplicate(from: ChainEntry, name: string): Promise<ChainEntry> {
    await this.recover();
    const id = await (await loadStore()).copyChain(from.id, name);
    // Two nodes with one identity would take each other's place in the network.
    const network = from.network && { network: { ...from.network, isOn: false } };
    const entry = { ...from, ...network, id, name, createdMs: Date.now() };
    forgetKept(id);
    this.keepModes(id, this.modes(from.id));
    await this.#add(entry);
    return this.find(id) ?? entry;
  }

  /**
   * Deletes a chain with its database, once no tab runs it. First no tab finds it any more, and this one may `leave` it; if the
   * deletion fails, the tabs find it again.
   */
  async remove(id: string, leave: () => Promise<unknown> = async () => undefined): Promise<void> {
    await this.change(id, { isDeleted: true });
    try {
      await Promise.all([leave(), this.#isStored && (await loadStore()).deleteChain(id)]);
    } catch (fault) {
      await this.change(id, { isDeleted: false });
      // Otherwise another tab has deleted it.
      if (this.find(id) !== null) throw fault;
    }
  }

  /** Deletes what a node has stored that was started when its chain was deleted already. */
  async sweep(id: string): Promise<void> {
    if (!this.#isStored) return;
    const { deleteUnlisted, inTurn } = await loadStore();
    // In turn, because a chain that is being created with this id is not in the list yet.
    await inTurn(() => deleteUnlisted(id)).catch(() => undefined);
  }

  /** The payload stored for the entry. */
  async payload(entry: ChainEntry): Promise<ChainPayload | null> {
    const { kind } = entry.origin;
    return kind === 'preset' || kind === 'fork' ? null : (await loadStore()).loadPayload(entry.id);
  }

  /**
   * The source from which the library starts the chain; rejects if the stored chain spec or runtime is gone. The base of a fork
   * that is in the list is in its database: `dev_fork` may have changed it, whoever called it.
   */
  async source(entry: ChainEntry): Promise<ChainSource> {
    return (await this.startOf(entry)).source;
  }

  /** The source, the network, and the keys that the node has instead of Alice's. Rejects as `source` does. */
  async startOf(entry: ChainEntry): Promise<ChainStart> {
    const { origin, id, network } = entry;
    if (origin.kind === 'fork' && this.find(id) !== null)
      return { source: { fork: { endpoints: origin.endpoints } } };
    const payload = await this.payload(entry);
    const source = toChainSource(origin, payload);
    if (source === null) throw new Error('The chain spec of this chain is no longer stored.');
    return {
      source,
      ...(payload !== null && 'keys' in payload && { keys: payload.keys }),
      ...(network?.isOn && { network: { bootNodes: network.bootNodes }, linksTabs: network.tabs }),
    };
  }

  /** Changes one entry of the list, if it is there. */
  change(id: string, change: Partial<ChainEntry>): Promise<void> {
    return this.#change((all) => all.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)));
  }

  rename(id: string, name: string): Promise<void> {
    return this.#change((all) => all.map((entry) => (entry.id === id ? named(entry, name, all) : entry)));
  }
}
