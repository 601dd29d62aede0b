import type { BlockEvent, DispatchOutcome } from '../meta/events.ts';
import { extrinsicHash } from '../meta/hash.ts';
import { faultText } from '../state/format.ts';
import { loadOutcome } from '../state/load-outcome.ts';
import type { Metas } from '../state/metas.svelte.ts';
import type { UiNode } from '../state/ui-node.ts';

/** A status of a transaction, as the node reported it. */
export type StatusStep = { readonly name: string; readonly hash: string | null; readonly atMs: number };

/** A transaction sent from this page, and what has become of it. */
export type SentItem = {
  readonly id: number;
  readonly hash: string;
  readonly hex: string;
  /** `balances.transferKeepAlive`. */
  readonly label: string;
  /** Its arguments in one line; empty where they are unknown. */
  readonly args: string;
  /** The signer's name or short address. */
  readonly by: string;
  readonly atMs: number;
  readonly steps: readonly StatusStep[];
  /** Why the node refused it. */
  readonly refused: string | null;
  /** Whether further statuses may come. */
  readonly open: boolean;
  readonly block: { readonly hash: string; readonly number: number; readonly index: number } | null;
  readonly events: readonly BlockEvent[];
  readonly outcome: DispatchOutcome | null;
};

const kept = 100;
const lastStatuses: readonly string[] = ['finalized', 'finalityTimeout', 'usurped', 'dropped', 'invalid'];

const readStatus = (status: unknown): { readonly name: string; readonly hash: string | null } => {
  if (typeof status === 'string') return { name: status, hash: null };
  const [name = 'unknown', value] = Object.entries((status ?? {}) as Record<string, unknown>)[0] ?? [];
  return { name, hash: typeof value === 'string' ? value : null };
};

const refusalText = (fault: unknown): string => {
  const data = (fault as { data?: unknown }).data;
  return data === undefined || data === null ? faultText(fault) : `${faultText(fault)}: ${String(data)}`;
};

/** What this page has sent since it was opened, newest first; each followed to its last status. */
export class Sent {
  #node: Pick<UiNode, 'request' | 'subscribe'>;
  #metas: Pick<Metas, 'at'>;
  #items = $state.raw<readonly SentItem[]>([]);
  #nextId = 1;

  constructor(node: Pick<UiNode, 'request' | 'subscribe'>, metas: Pick<Metas, 'at'>) {
    this.#node = node;
    this.#metas = metas;
  }

  get items(): readonly SentItem[] {
    return this.#items;
  }

  clear(): void {
    this.#items = this.#items.filter(({ open }) => open);
  }

  /** Submits a signed extrinsic and follows it; resolves when the node has taken or refused it. */
  async submit(hex: string, label: string, by: string, args = ''): Promise<SentItem | null> {
    const id = this.#nextId++;
    const item: SentItem = {
      id,
      hash: extrinsicHash(hex),
      hex,
      label,
      args,
      by,
      atMs: Date.now(),
      steps: [],
      refused: null,
      open: true,
      block: null,
      events: [],
      outcome: null,
    };
    this.#items = [item, ...this.#items].slice(0, kept);
    const subscription = this.#node.subscribe(
      'author_submitAndWatchExtrinsic',
      [hex],
      'author_unwatchExtrinsic',
      (status) => {
        if (this.#take(id, status)) subscription.close();
      },
    );
    try {
      await subscription.opened;
    } catch (fault) {
      this.#change(id, () => ({ refused: refusalText(fault), open: false }));
    }
    return this.#items.find((one) => one.id === id) ?? null;
  }

  #change(id: number, change: (item: SentItem) => Partial<SentItem>): void {
    this.#items = this.#items.map((item) => (item.id === id ? { ...item, ...change(item) } : item));
  }

  /** Writes a status down; true for a last one. */
  #take(id: number, status: unknown): boolean {
    const { name, hash } = readStatus(status);
    const isLast = lastStatuses.includes(name);
    this.#change(id, ({ steps }) => ({
      steps: [...steps, { name, hash, atMs: Date.now() }],
      open: !isLast,
      ...(name === 'retracted' ? { block: null, events: [], outcome: null } : {}),
    }));
    if ((name === 'inBlock' || name === 'finalized') && hash !== null) void this.#read(id, hash);
    return isLast;
  }

  /** Reads the events of the extrinsic in a block, with the metadata of the runtime that executed it. */
  async #read(id: number, hash: string): Promise<void> {
    const item = this.#items.find((one) => one.id === id);
    if (!item || item.block?.hash === hash) return;
    try {
      const read = await loadOutcome(this.#node, this.#metas, item.hex, hash);
      if (read === null) return;
      const { index, number, events, outcome } = read;
      this.#change(id, () => ({ block: { hash, number, index }, events, outcome }));
    } catch (fault) {
      this.#change(id, () => ({ outcome: { kind: 'failed', text: `unread: ${faultText(fault)}` } }));
    }
  }
}
