import { createSubscriber } from 'svelte/reactivity';
import { toAddress } from '../meta/address.ts';
import { type DecodedExtrinsic, decodeExtrinsic, signerOf } from '../meta/extrinsic.ts';
import { callName } from '../meta/names.ts';
import type { RuntimeMeta } from '../meta/types.ts';
import { accountName } from '../state/extrinsic.ts';
import { faultText, shortHex } from '../state/format.ts';
import type { UiNode } from '../state/ui-node.ts';

/** A transaction as `dev_pool` tells it. */
export type PoolEntry = {
  readonly hash: string;
  readonly extrinsic: string;
  readonly priority: string;
  readonly validTill: string;
  readonly requires: readonly string[];
  readonly provides: readonly string[];
};

/** What the pool holds. */
export type PoolState = {
  readonly ready: readonly PoolEntry[];
  readonly future: readonly PoolEntry[];
  readonly banned: readonly { readonly hash: string; readonly untilMs: number }[];
};

const everyMs = 1000;

/** The pool, asked for every second while somebody looks; what is taken out shows at once. */
export class PoolView {
  #node: Pick<UiNode, 'request'>;
  #state = $state.raw<PoolState | null>(null);
  #fault = $state.raw<string | null>(null);
  #watch: () => void;

  constructor(node: Pick<UiNode, 'request'>) {
    this.#node = node;
    this.#watch = createSubscriber(() => {
      void this.read();
      const timer = setInterval(() => void this.read(), everyMs);
      return () => clearInterval(timer);
    });
  }

  /** Null until it is known. */
  get state(): PoolState | null {
    this.#watch();
    return this.#state;
  }

  get fault(): string | null {
    return this.#fault;
  }

  async read(): Promise<void> {
    try {
      this.#state = (await this.#node.request('dev_pool', [])) as PoolState;
      this.#fault = null;
    } catch (fault) {
      this.#fault = faultText(fault);
    }
  }

  /** Seals a block of all that is ready but this one and what waits for it; they stay in the pool. Answers how many stayed. */
  async sealWithout(hash: string): Promise<number> {
    const { ready } = (await this.#node.request('dev_pool', [])) as PoolState;
    const left = withDependents(ready, hash);
    const transactions = ready.filter((one) => !left.has(one.hash)).map(({ extrinsic }) => extrinsic);
    await this.#node.request('dev_newBlock', [{ transactions }]);
    await this.read();
    return left.size;
  }

  /** Takes a transaction out, with what depends on it; answers how many went. */
  async remove(hash: string): Promise<number> {
    const removed = (await this.#node.request('author_removeExtrinsic', [[{ hash }]])) as readonly unknown[];
    await this.read();
    return removed.length;
  }
}

/** Hashes of a transaction and of those that need it, in turn; `ready` stands in an order in which each can be applied. */
export const withDependents = (ready: readonly PoolEntry[], hash: string): ReadonlySet<string> => {
  const left = new Set([hash]);
  const tags = new Set<string>();
  for (const one of ready) {
    if (one.hash !== hash && !one.requires.some((tag) => tags.has(tag))) continue;
    left.add(one.hash);
    for (const tag of one.provides) tags.add(tag);
  }
  return left;
};

/** A transaction of the pool for people. */
export type PoolLine = PoolEntry & {
  readonly label: string;
  readonly decoded: DecodedExtrinsic | null;
  /** Why it stays bytes. */
  readonly fault: string | null;
  readonly signer: string | null;
  readonly nonce: number | null;
};

/** Decodes what can be decoded; the rest keeps its bytes and the reason. */
export const readPoolEntry = (meta: RuntimeMeta, entry: PoolEntry): PoolLine => {
  try {
    const decoded = decodeExtrinsic(meta, entry.extrinsic);
    const nonce = decoded.extensions.find(({ name }) => name === 'CheckNonce')?.value;
    return {
      ...entry,
      label: callName(decoded.call) ?? 'a call',
      decoded,
      fault: null,
      signer: signerOf(decoded),
      nonce: nonce?.kind === 'number' ? Number(nonce.value) : null,
    };
  } catch (fault) {
    return { ...entry, label: 'bytes', decoded: null, fault: faultText(fault), signer: null, nonce: null };
  }
};

/** What a tag stands for: CheckNonce writes account and nonce, `Alice nonce 3`; others stay bytes. */
export const tagText = (meta: RuntimeMeta, tag: string): string => {
  if (tag.length !== 2 + 72) return shortHex(tag);
  const id = tag.slice(0, 66);
  const bytes = tag.slice(66).match(/../g) ?? [];
  const nonce = Number.parseInt(bytes.reverse().join(''), 16);
  return `${accountName(id) ?? shortHex(toAddress(id, meta.ss58Prefix), 5, 5)} nonce ${nonce}`;
};

/** Whose provided tag a required one is, among these; null when it must come from outside of the pool. */
export const providerOf = (lines: readonly PoolEntry[], tag: string): PoolEntry | null =>
  lines.find(({ provides }) => provides.includes(tag)) ?? null;
