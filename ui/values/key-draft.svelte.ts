import { defaultJson } from '../../src/scale/entries.ts';
import { encodeKey, type StorageEntry, storageEntries, wellKnownKeys } from '../../src/scale/storage.ts';
import type { Json, RuntimeMeta } from '../../src/scale/types.ts';
import { type Attempt, attempt } from '../kit/text/format.ts';

/** A storage key built by a form: an entry of a pallet, and all or the first of its map keys. */
export class KeyDraft {
  #meta: () => RuntimeMeta | null;
  #pallet = $state('System');
  #name = $state('');
  /** The map keys as entered; empty until the user changes one. */
  #drafts = $state.raw<readonly Json[]>([]);
  #wanted = $state.raw<number | null>(null);

  constructor(meta: () => RuntimeMeta | null, name = '') {
    this.#meta = meta;
    this.#name = name;
  }

  #entries = $derived.by((): readonly StorageEntry[] => {
    const meta = this.#meta();
    return meta === null ? [] : storageEntries(meta, this.#pallet);
  });
  #entry = $derived(this.#entries.find((one) => one.name === this.#name) ?? this.#entries[0] ?? null);
  #built = $derived.by((): Attempt<string> => {
    const known = wellKnownKeys.find((one) => one.name === this.#name);
    if (this.#pallet === '') return { value: known?.key ?? null, fault: null };
    const meta = this.#meta();
    const entry = this.#entry;
    if (meta === null || entry === null) return { value: null, fault: null };
    return attempt(() => {
      const keys = entry.keys.slice(0, this.keyCount).map((_, index) => this.part(index));
      return encodeKey(meta, entry, keys);
    });
  });

  /** Empty for the well-known keys. */
  get pallet(): string {
    return this.#pallet;
  }

  set pallet(next: string) {
    this.#pallet = next;
    this.name = next === '' ? ':code' : '';
  }

  get name(): string {
    return this.#pallet === '' ? this.#name : (this.#entry?.name ?? '');
  }

  set name(next: string) {
    this.#name = next;
    this.#drafts = [];
    this.#wanted = null;
  }

  get names(): readonly string[] {
    return (this.#pallet === '' ? wellKnownKeys : this.#entries).map(({ name }) => name);
  }

  /** Null for the well-known keys, and until metadata is loaded. */
  get entry(): StorageEntry | null {
    return this.#pallet === '' ? null : this.#entry;
  }

  /** Number of map keys to include, initially all; fewer give a prefix. */
  get keyCount(): number {
    return this.#wanted ?? this.entry?.keys.length ?? 0;
  }

  set keyCount(count: number) {
    this.#wanted = count;
  }

  /** Whether a map key was entered; before that, a fault is not the user's error. */
  get touched(): boolean {
    return this.#drafts.length > 0;
  }

  /** The key as a 0x string; null if it cannot be built. */
  get key(): string | null {
    return this.#built.value;
  }

  get fault(): string | null {
    return this.#built.fault;
  }

  part(index: number): Json {
    const meta = this.#meta();
    const type = this.#entry?.keys[index]?.type;
    return (
      this.#drafts[index] ?? (meta === null || type === undefined ? null : defaultJson(meta.lookup(type)))
    );
  }

  put(index: number, value: Json): void {
    this.#drafts = (this.#entry?.keys ?? []).map((_, at) => (at === index ? value : this.part(at)));
  }
}
