import { writeJson } from '../../../../src/protocol/json.ts';
import { toAddress } from '../../../../src/scale/address.ts';
import { amountText, readUnit, type Unit } from '../../../kit/text/amount.ts';
import { faultText } from '../../../kit/text/format.ts';
import { devAccounts, type KnownAccount } from '../../../node/accounts.ts';
import { feeOf, loadOutcome } from '../../../node/load-outcome.ts';
import type { PageContext } from '../../../node/page-context.ts';
import { keepSent, type Sent } from '../../../node/tx/sent.svelte.ts';
import type { SentItem } from '../../../node/tx/sent-item.ts';
import { TxSearch } from '../../../node/tx/tx-search.svelte.ts';
import { endOf } from '../../../node/tx/tx-words.ts';
import { firstAmount, hasTransfer, loadFree, minimumBalance, signTransfer } from './transfer.ts';

/** A balance before and after the block of the transfer, in the smallest unit. */
export type Change = {
  readonly name: string;
  readonly address: string;
  readonly before: bigint;
  readonly after: bigint;
};

/** What the transfer did in one block. */
export type Effect = {
  readonly block: string;
  readonly changes: readonly Change[];
  /** The fee that Alice paid, according to the events. */
  readonly fee: bigint | null;
  /** Why the transfer failed there. */
  readonly failed: string | null;
};

/**
 * The offered transfer: its amount in the smallest unit, the unit to show it in (null if the chain has none), and the
 * minimum balance of which it then is a multiple (null otherwise).
 */
export type Offer = {
  readonly amount: bigint;
  readonly unit: Unit | null;
  readonly minimum: bigint | null;
};

type Probe = { readonly address: string | null; readonly offer: Offer | null; readonly why: string | null };
type Around = Pick<PageContext, 'node' | 'metas' | 'chain'>;

const [alice, bob] = devAccounts as [KnownAccount, KnownAccount];

/** The parts of the link to an account's balance. */
export const accountParts = (address: string): readonly [string, string, string] => [
  'System',
  'Account',
  writeJson([address]),
];

/**
 * Whether this chain supports the transfer: Alice may not exist or have no funds, or the call may be missing.
 */
const probeChain = async (context: Around): Promise<Probe> => {
  const meta = await context.metas.at(null);
  const free = await loadFree(context, alice.id, null);
  if (free === null || free === 0n)
    return { address: null, offer: null, why: 'Alice has no account on this chain.' };
  const address = toAddress(alice.id, meta.ss58Prefix);
  if (!hasTransfer(meta))
    return { address, offer: null, why: 'This runtime has no Balances.transfer_keep_alive.' };
  const unit = readUnit(await context.node.request('system_properties', []));
  const least = minimumBalance(meta);
  const amount = firstAmount(unit, free, least);
  if (amount === null) return { address, offer: null, why: 'Alice does not have enough for a transfer.' };
  const minimum = unit === null && least > 0n ? least : null;
  return { address, offer: { amount, unit, minimum }, why: null };
};

/**
 * The first transaction, from Alice to Bob: whether this chain supports it, its status, and what it changed.
 */
export class FirstTransfer {
  #context: Around;
  #sent: Sent;
  /** Null until it is known. */
  probe = $state.raw<Probe | null>(null);
  /** Id of the transaction in the list; null until there is one. */
  #id = $state.raw<string | null>(null);
  #search = $state.raw<TxSearch | null>(null);
  /** Number of the first best block since the search; null before. */
  #from: number | null = null;
  busy = $state.raw(false);
  #effect = $state.raw<Effect | null>(null);

  constructor(context: Around & Pick<PageContext, 'keep' | 'session'>) {
    const { node, metas, chain } = context;
    this.#context = { node, metas, chain };
    this.#sent = keepSent(context);
    void probeChain(this.#context)
      .catch((fault: unknown) => ({ address: null, offer: null, why: faultText(fault) }))
      .then((found) => (this.probe = found));
    void this.#resume();
  }

  /** The transaction as the Send panel lists it. */
  get item(): SentItem | null {
    return this.#sent.items.find(({ id }) => id === this.#id) ?? null;
  }

  /** Where it is; null before it is searched for. */
  get search(): TxSearch | null {
    return this.#search;
  }

  /** Its effects in its current block; null until they are read, or if it is not in a block. */
  get effect(): Effect | null {
    const place = this.#search?.place;
    const isThere = place?.kind === 'block' && place.best && place.block === this.#effect?.block;
    return isThere ? this.#effect : null;
  }

  /** After a reload, a transfer that was in flight is searched for and shown again. */
  async #resume(): Promise<void> {
    const item = this.#sent.items.find(({ isFirst, lost }) => isFirst && lost);
    if (item === undefined) return;
    this.#id = item.id;
    await this.#find(item.hash);
  }

  async #find(hash: string): Promise<void> {
    const search = new TxSearch(this.#context.node, this.#context.chain, hash);
    this.#search = search;
    this.#from = null;
    await search.search();
    await this.#readEffect(search);
  }

  async send(): Promise<void> {
    const offer = this.probe?.offer ?? null;
    if (this.busy || offer === null) return;
    this.busy = true;
    try {
      this.#search?.stop();
      this.#search = null;
      this.#effect = null;
      const id = crypto.randomUUID();
      this.#id = id;
      const args = `{ dest: Id ${bob.name}, value: ${amountText(offer.amount, offer.unit)} }`;
      const sign = () => signTransfer(this.#context, { from: alice, to: bob, amount: offer.amount });
      const about = ['Balances.transfer_keep_alive', alice.name, args, args] as const;
      const item = await this.#sent.submit(sign, ...about, { id, isFirst: true });
      if (item !== null && item.refused === null) await this.#find(item.hash);
    } finally {
      this.busy = false;
    }
  }

  /** Called when the chain has changed: updates the status, and reads the effects in a new block. */
  async follow(best: number): Promise<void> {
    const [search, item] = [this.#search, this.item];
    if (search === null || this.busy) return;
    // One that has ended without a block is not searched for.
    if (search.place?.kind !== 'block' && item !== null && !item.open && endOf(item) !== null) return;
    this.#from ??= best;
    await search.follow(best);
    if (search.place === null && search.fault === null && item !== null)
      this.#sent.giveUp(item, this.#from, best);
    await this.#readEffect(search);
  }

  /**
   * Reads the effects of the transaction where the search found it, unless it has moved when they arrive. If that
   * fails, the next block tries again.
   */
  async #readEffect(search: TxSearch): Promise<void> {
    const { place } = search;
    if (place?.kind !== 'block' || !place.best || this.#effect?.block === place.block) return;
    const { block } = place;
    const effect = await this.#loadEffect(block).catch(() => null);
    const isStill = search === this.#search && search.place?.kind === 'block' && search.place.block === block;
    if (isStill && effect !== null) this.#effect = effect;
  }

  async #loadEffect(block: string): Promise<Effect> {
    const { node, metas } = this.#context;
    const hex = this.item?.hex ?? '';
    const { ss58Prefix } = await metas.of(block);
    const parent = (await node.request('chain_getHeader', [block]))?.parentHash ?? null;
    const [outcome, ...changes] = await Promise.all([
      loadOutcome(node, metas, hex, block),
      ...[alice, bob].map(async (account) => ({
        name: account.name,
        address: toAddress(account.id, ss58Prefix),
        before: (await loadFree(this.#context, account.id, parent)) ?? 0n,
        after: (await loadFree(this.#context, account.id, block)) ?? 0n,
      })),
    ]);
    const failed = outcome?.outcome.kind === 'failed' ? outcome.outcome.text : null;
    return { block, changes, fee: feeOf(outcome?.events ?? []), failed };
  }
}
