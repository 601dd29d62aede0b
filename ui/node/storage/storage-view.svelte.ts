import { createSubscriber } from 'svelte/reactivity';
import { DecodeFault } from '../../../src/scale/cursor.ts';
import { fromHex } from '../../../src/scale/hex.ts';
import { decodeStored, type StorageEntry } from '../../../src/scale/storage.ts';
import type { Decoded, RuntimeMeta } from '../../../src/scale/types.ts';
import { throttleValue } from '../../kit/page/throttle.ts';
import type { Answer, UiNode } from '../client/ui-node.ts';

/** The value of one key. */
export type StoredValue = {
  /** A 0x string; null if nothing is stored. */
  readonly hex: string | null;
  /** The bytes shown: the value, or its default if nothing is stored. */
  readonly bytes: Uint8Array;
  readonly decoded: Decoded | null;
  /** Why the bytes could not be decoded. */
  readonly fault: string | null;
  readonly isDefault: boolean;
};

/** Decodes a stored value; if that fails, the bytes and the reason are kept. */
export const readStored = (
  meta: RuntimeMeta | null,
  entry: StorageEntry | null,
  hex: string | null,
): StoredValue => {
  const raw = fromHex(hex ?? entry?.fallback ?? '0x');
  const plain = { hex, bytes: raw, decoded: null, fault: null, isDefault: hex === null && raw.length > 0 };
  if (meta === null || entry === null) return plain;
  try {
    const stored = decodeStored(meta, entry, hex);
    return stored === null
      ? plain
      : { hex, bytes: stored.bytes, decoded: stored.value, fault: null, isDefault: stored.isDefault };
  } catch (fault) {
    const why =
      fault instanceof DecodeFault
        ? `at byte ${fault.at}: ${fault.message}`
        : String((fault as Error).message);
    return { ...plain, fault: why };
  }
};

/** A value, and the hash of the block that the node reported it for. */
export type LiveValue = { readonly hex: string | null; readonly block: string };

/** One key's raw value at the best block, subscribed to while something reads it. */
export class LiveKey {
  #value = $state.raw<LiveValue | null>(null);
  /** Number of changes since it was first read. */
  turn = $state.raw(0);
  fault = $state.raw<unknown>(null);
  #watch: () => void;

  constructor(node: UiNode, key: string) {
    this.#watch = createSubscriber(() => {
      let isOpen = true;
      const subscription = node.subscribe(
        'state_subscribeStorage',
        [[key]],
        'state_unsubscribeStorage',
        throttleValue((item: Answer<'state_subscribeStorage'>) => {
          const change = item.changes.find(([changed]) => changed === key);
          // A throttled value may come after the last reader has left: the next one would take it for current.
          if (!isOpen || change === undefined) return;
          const hex = change[1];
          if (this.#value !== null && this.#value.hex !== hex) this.turn += 1;
          this.#value = { hex, block: item.block };
        }),
      );
      subscription.opened.catch((fault: unknown) => {
        if (isOpen) this.fault = fault;
      });
      return () => {
        isOpen = false;
        subscription.close();
        // Without a subscription the value could be outdated.
        this.#value = null;
      };
    });
  }

  get value(): LiveValue | null {
    this.#watch();
    return this.#value;
  }
}

/**
 * Keys of the first page, small so that it loads fast, and of each page when all keys are read (the node's
 * limit).
 */
const pageSize = 200;
const largestPage = 1000;
/** The same with values, which are larger than keys. */
const largestPairs = 500;

/**
 * Selects keys: under a prefix (0x string), at a block (null for the best block), in a child trie if one is
 * given.
 */
type KeysOf = {
  readonly prefix: string;
  readonly hash: string | null;
  readonly trie?: string;
  /** Whether to load values with each page, not only for visible keys. */
  readonly withValues?: true;
};

/**
 * Keys at one block, loaded page by page once something reads them.
 */
export class KeyList {
  #rpc: UiNode['rpc'];
  #of: KeysOf;
  #keys = $state.raw<readonly string[]>([]);
  /** The map is extended in place, because copying 100,000 values for each page takes seconds; what holds it is new. */
  #held = $state.raw({ values: new Map<string, string | null>() });
  /** Whether all keys are loaded. */
  done = $state.raw(false);
  #reading: Promise<void> | null = null;
  fault = $state.raw<unknown>(null);
  #stopped = false;
  #sight: readonly [from: number, to: number] | null = null;
  #seeing = false;

  #watch = createSubscriber(() => {
    if (this.#keys.length === 0) void this.more();
    return () => this.stop();
  });

  constructor({ rpc }: Pick<UiNode, 'rpc'>, of: KeysOf) {
    this.#rpc = rpc;
    this.#of = of;
  }

  get keys(): readonly string[] {
    this.#watch();
    return this.#keys;
  }

  /** Values of the keys that were visible. */
  get values(): ReadonlyMap<string, string | null> {
    return this.#held.values;
  }

  /** Loads the next page; if one is already loading, waits for it instead. */
  more(count = pageSize): Promise<void> {
    if (this.done) return Promise.resolve();
    this.#reading ??= this.#read(count).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Clears an error and continues loading. */
  retry(): void {
    this.fault = null;
    void this.more();
  }

  async #read(count: number): Promise<void> {
    const { prefix, hash, trie } = this.#of;
    const wanted = { prefix, count, start_key: this.#keys.at(-1), hash };
    try {
      const page =
        trie === undefined
          ? await this.#rpc.state_getKeysPaged(wanted)
          : await this.#rpc.childstate_getKeysPaged({ child_storage_key: trie, ...wanted });
      if (this.#of.withValues) this.#hold(await this.#readValues(page));
      this.#keys = this.#keys.concat(page);
      this.done = page.length < count;
      this.fault = null;
    } catch (fault) {
      this.fault = fault;
    }
  }

  /** Loads all keys, page by page, until `stop`. */
  async all(): Promise<void> {
    this.#stopped = false;
    while (!this.done && this.fault === null && !this.#stopped)
      await this.more(this.#of.withValues ? largestPairs : largestPage);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Loads the values of the visible keys, one request at a time, each for the range visible by then. */
  async see(from: number, to: number): Promise<void> {
    this.#sight = [from, to];
    if (this.#seeing) return;
    this.#seeing = true;
    try {
      while (this.#sight !== null) {
        const sight: readonly [number, number] = this.#sight;
        this.#sight = null;
        await this.load(this.#keys.slice(...sight));
      }
    } finally {
      this.#seeing = false;
    }
  }

  async #readValues(keys: readonly string[]): Promise<readonly (readonly [string, string | null])[]> {
    const { hash, trie } = this.#of;
    if (trie === undefined) {
      const [set] = await this.#rpc.state_queryStorageAt({ keys, at: hash });
      return set?.changes ?? [];
    }
    const values = await this.#rpc.childstate_getStorageEntries({ child_storage_key: trie, keys, hash });
    return keys.map((key, index) => [key, values[index] ?? null]);
  }

  #hold(pairs: readonly (readonly [string, string | null])[]): void {
    const { values } = this.#held;
    for (const pair of pairs) values.set(...pair);
    this.#held = { values };
  }

  /** Loads the values of these keys, each only once. */
  async load(keys: readonly string[]): Promise<void> {
    const wanted = keys.filter((key) => !this.#held.values.has(key));
    if (wanted.length === 0) return;
    try {
      this.#hold(await this.#readValues(wanted));
    } catch (fault) {
      this.fault = fault;
    }
  }
}
