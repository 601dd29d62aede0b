import type { ChainSource } from '../../../src/index.ts';
import { writeJson } from '../../../src/protocol/json.ts';
import { readKeptList } from '../../kit/page/kept.ts';
import { type ChainModes, readModes } from '../client/chain-modes.ts';
import type { ChainIdentity } from '../client/ui-node.ts';
import {
  type ChainEntry,
  type ChainOrigin,
  type ChainPayload,
  chainId,
  firstChain,
  freeName,
  isEntry,
  toChainSource,
} from './chain-entry.ts';

const listKey = 'tabnode.chains';
/** Ids of the chains that were open, the latest first. */
const lastKey = 'tabnode.chain';
const keptIds = 8;
const identityKey = (id: string): string => `tabnode.identity.${id}`;
const modesKey = (id: string): string => `tabnode.modes.${id}`;

/** Removes what is kept of a chain besides its entry. */
const forgetKept = (id: string): void => {
  for (const kept of ['modes', 'identity', 'sent', 'edits']) localStorage.removeItem(`tabnode.${kept}.${id}`);
};

/** Loaded on demand, because presets store nothing. */
const loadStore = () => import('./chain-store.ts');

/**
 * The chains of this browser; each has its own database. The list is kept in local storage, which can be read
 * synchronously; chains missing from it are recovered from IndexedDB.
 */
export class ChainBook {
  /** Those that are being deleted as well. */
  #all = $state.raw<readonly ChainEntry[]>([]);
  #entries = $derived(this.#all.filter(({ isDeleted }) => !isDeleted));
  /** When the chains that this tab has deleted were created, by id. */
  #gone = new Map<string, number>();
  #recovered: Promise<void> | null = null;

  constructor() {
    this.read();
    addEventListener('storage', ({ key }) => {
      if (key !== listKey) return;
      this.read();
      this.onchange();
    });
  }

  /** Called after another tab has changed the list. */
  onchange: () => void = () => undefined;

  /** Rereads the list, which other tabs may have changed; the event for it comes late. */
  read(): void {
    const kept = readKeptList(localStorage, listKey, isEntry);
    const isNew = localStorage.getItem(listKey) === null;
    const all = isNew ? [firstChain] : (kept ?? []);
    // A tab that did not know of a deletion yet may have stored the chain again.
    const back = all.filter(({ id, createdMs }) => this.#gone.get(id) === createdMs);
    this.#all = all.filter((entry) => !back.includes(entry));
    if (back.length > 0) this.#store();
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
    const hints = this.#hints(hint);
    const known = () => new Set(this.#all.map(({ id }) => id));
    try {
      const { findChains } = await import('./find-chains.ts');
      const found = await findChains(known(), hints);
      const now = known();
      const lost = found.filter(({ id }) => !now.has(id));
      const named = lost.map((entry) => ({ ...entry, name: this.freeName(entry.name) }));
      if (named.length > 0) this.#change((all) => [...all, ...named]);
      for (const { id, isDeleted } of this.#all) if (isDeleted) await this.#delete(id, false);
    } catch {
      // Without IndexedDB there are no stored chains. A chain that is in use is being deleted by another tab.
    }
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

  /** Adds a chain once `begin` has started it; one that does not start leaves nothing behind. */
  async create(
    name: string,
    origin: ChainOrigin,
    payload: ChainPayload | null = null,
    marks: Pick<ChainEntry, 'isPartial' | 'isLookOnly'> = {},
    begin: (entry: ChainEntry) => Promise<void> = async () => undefined,
  ): Promise<ChainEntry> {
    await this.recover();
    const { savePayload, deleteChain, inTurn } = await loadStore();
    return inTurn(async (stored) => {
      this.read();
      const id = chainId(name, [...this.#all.map((one) => one.id), ...stored]);
      const entry: ChainEntry = { ...marks, id, name: this.freeName(name), origin, createdMs: Date.now() };
      try {
        if (payload !== null) await savePayload(id, payload);
        await begin(entry);
      } catch (fault) {
        await deleteChain(id).catch(() => undefined);
        throw fault;
      }
      this.#change((all) => [...all, entry]);
      return entry;
    });
  }

  /** Copies a chain that is not running. */
  async duplicate(from: ChainEntry, name: string): Promise<ChainEntry> {
    await this.recover();
    const taken = this.#all.map((entry) => entry.id);
    const id = await (await loadStore()).copyChain(from.id, name, taken);
    const entry = { ...from, id, name: this.freeName(name), createdMs: Date.now() };
    this.keepModes(id, this.modes(from.id));
    this.#change((all) => [...all, entry]);
    return entry;
  }

  /**
   * Deletes a chain with its database, once no tab runs it. From the call on, no tab starts it; if the deletion fails, they may
   * start it again.
   */
  async remove(id: string): Promise<void> {
    this.change(id, { isDeleted: true });
    try {
      await this.#delete(id, true);
    } catch (fault) {
      this.change(id, { isDeleted: false });
      throw fault;
    }
  }

  async #delete(id: string, waits: boolean): Promise<void> {
    await (await loadStore()).deleteChain(id, () => this.#forget(id), waits);
  }

  #forget(id: string): void {
    forgetKept(id);
    const entry = this.#all.find((one) => one.id === id);
    if (entry) this.#gone.set(id, entry.createdMs);
    this.#change((all) => all.filter((one) => one.id !== id));
  }

  /** Deletes the database that a node created after its chain was deleted. */
  async sweep(id: string): Promise<void> {
    this.read();
    if (this.#all.some((entry) => entry.id === id)) return;
    await (await loadStore()).deleteChain(id, () => forgetKept(id)).catch(() => undefined);
  }

  /** The payload stored for the entry. */
  async payload(entry: ChainEntry): Promise<ChainPayload | null> {
    return entry.origin.kind === 'preset' ? null : (await loadStore()).loadPayload(entry.id);
  }

  /**
   * The source from which the library starts the chain; rejects if the stored chain spec or runtime is gone.
   */
  async source(entry: ChainEntry): Promise<ChainSource> {
    const source = toChainSource(entry.origin, await this.payload(entry));
    if (source === null) throw new Error('The chain spec of this chain is no longer stored.');
    return source;
  }

  /** Changes one entry of the list, if it is there. */
  change(id: string, change: Partial<ChainEntry>): void {
    this.#change((all) => all.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)));
  }

  /** Changes the list as it is stored, because other tabs change it too. */
  #change(change: (all: readonly ChainEntry[]) => readonly ChainEntry[]): void {
    this.read();
    this.#all = change(this.#all);
    this.#store();
  }

  #store(): void {
    const all = this.#all;
    localStorage.setItem(listKey, writeJson(all));
    void loadStore()
      .then(({ saveEntries }) => saveEntries(all))
      .catch(() => undefined);
  }
}
