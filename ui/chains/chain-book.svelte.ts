import type { ChainSource } from '../../src/index.ts';
import {
  type ChainEntry,
  type ChainOrigin,
  type ChainPayload,
  chainId,
  firstChain,
  readEntries,
  toChainSource,
} from './chain-entry.ts';
import { type ChainModes, readModes } from './chain-modes.ts';

const listKey = 'tabnode.chains';
const lastKey = 'tabnode.chain';
const modesKey = (id: string): string => `tabnode.modes.${id}`;

/** The storage code loads when a chain needs it: presets do not. */
const loadStore = () => import('./chain-store.ts');

/** The chains of this browser, kept in local storage; each has a database of its own. */
export class ChainBook {
  #entries = $state.raw<readonly ChainEntry[]>([]);

  constructor() {
    const kept = localStorage.getItem(listKey);
    this.#entries = kept === null ? [firstChain(Date.now())] : readEntries(kept);
  }

  get entries(): readonly ChainEntry[] {
    return this.#entries;
  }

  find(id: string | null): ChainEntry | null {
    return this.#entries.find((entry) => entry.id === id) ?? null;
  }

  /** The chain that was open last, else the first one; null when there are none. */
  get last(): ChainEntry | null {
    return this.find(localStorage.getItem(lastKey)) ?? this.#entries[0] ?? null;
  }

  opened(entry: ChainEntry): void {
    localStorage.setItem(lastKey, entry.id);
  }

  /** How the chain was sealed, finalized and timed when it was last open. */
  modes(id: string): ChainModes {
    return readModes(localStorage.getItem(modesKey(id)));
  }

  keepModes(id: string, change: Partial<ChainModes>): void {
    const before = this.modes(id);
    const text = JSON.stringify({ ...before, ...change });
    if (text !== JSON.stringify(before)) localStorage.setItem(modesKey(id), text);
  }

  /** Adds a chain; its database is made when it is first started. */
  async create(name: string, origin: ChainOrigin, payload: ChainPayload | null = null): Promise<ChainEntry> {
    const entry: ChainEntry = {
      id: chainId(
        name,
        this.#entries.map(({ id }) => id),
      ),
      name: name.trim() || 'Chain',
      origin,
      createdMs: Date.now(),
    };
    if (payload !== null) await (await loadStore()).savePayload(entry.id, payload);
    this.#keep([...this.#entries, entry]);
    return entry;
  }

  rename(id: string, name: string): void {
    this.#keep(
      this.#entries.map((entry) => (entry.id === id ? { ...entry, name: name.trim() || entry.name } : entry)),
    );
  }

  /** Copies a chain that is not running. */
  async duplicate(from: ChainEntry, name: string): Promise<ChainEntry> {
    const id = chainId(
      name,
      this.#entries.map((entry) => entry.id),
    );
    const { copyChain, deleteChain } = await loadStore();
    try {
      await copyChain(from.id, id);
    } catch (fault) {
      await deleteChain(id).catch(() => undefined);
      throw fault;
    }
    const entry = { ...from, id, name, createdMs: Date.now() };
    this.keepModes(id, this.modes(from.id));
    this.#keep([...this.#entries, entry]);
    return entry;
  }

  /** Deletes a chain that is not running, with its database. */
  async remove(id: string): Promise<void> {
    await (await loadStore()).deleteChain(id);
    localStorage.removeItem(modesKey(id));
    this.#keep(this.#entries.filter((entry) => entry.id !== id));
  }

  /** What was kept beside the entry. */
  async payload(entry: ChainEntry): Promise<ChainPayload | null> {
    return entry.origin.kind === 'preset' ? null : (await loadStore()).loadPayload(entry.id);
  }

  /** What the library starts; rejects when the stored specification or runtime is gone. */
  async source(entry: ChainEntry): Promise<ChainSource> {
    const source = toChainSource(entry.origin, await this.payload(entry));
    if (source === null) throw new Error('The specification of this chain is no longer stored.');
    return source;
  }

  #keep(entries: readonly ChainEntry[]): void {
    this.#entries = entries;
    localStorage.setItem(listKey, JSON.stringify(entries));
  }
}
