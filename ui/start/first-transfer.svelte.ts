import { toAddress } from '../meta/address.ts';
import { devAccounts, type KnownAccount } from '../state/accounts.ts';
import { feeOf, loadOutcome } from '../state/load-outcome.ts';
import type { PageContext } from '../state/page-context.ts';
import { keepSent, type Sent } from '../state/transactions/sent.svelte.ts';
import type { SentItem } from '../state/transactions/sent-item.ts';
import { type TxPlace, TxSearch } from '../state/transactions/tx-search.svelte.ts';
import { amountText, readUnit, type Unit } from '../text/amount.ts';
import { faultText } from '../text/format.ts';
import { firstAmount, hasTransfer, loadFree, signTransfer } from './transfer.ts';

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
 * The offered transfer: its amount in the smallest unit, and the unit to show it in; null if the chain has
 * none.
 */
export type Offer = { readonly amount: bigint; readonly unit: Unit | null };

type Probe = { readonly address: string | null; readonly offer: Offer | null; readonly why: string | null };
type Around = Pick<PageContext, 'node' | 'metas' | 'chain'>;

const [alice, bob] = devAccounts as [KnownAccount, KnownAccount];

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
  const amount = firstAmount(unit, free);
  return amount === null
    ? { address, offer: null, why: 'Alice does not have enough for a transfer.' }
    : { address, offer: { amount, unit }, why: null };
};

/**
 * The first transaction, from Alice to Bob: whether this chain supports it, its status, and what it changed.
 */
export class FirstTransfer {
  #context: Around;
  #sent: Sent;
  /** Null until it is known. */
  probe = $state.raw<Probe | null>(null);
  #hex = $state.raw<string | null>(null);
  #search = $state.raw<TxSearch | null>(null);
  busy = $state.raw(false);
  /** Why nothing was sent, or why its status could not be tracked. */
  fault = $state.raw<string | null>(null);
  #effect = $state.raw<Effect | null>(null);

  constructor(context: Around & Pick<PageContext, 'keep' | 'session'>) {
    const { node, metas, chain } = context;
    this.#context = { node, metas, chain };
    this.#sent = keepSent(context);
    void probeChain(this.#context)
      .catch((fault: unknown) => ({ address: null, offer: null, why: faultText(fault) }))
      .then((found) => (this.probe = found));
  }

  /** The transaction as the Send panel lists it. */
  get item(): SentItem | null {
    return this.#sent.items.find(({ hex }) => hex !== null && hex === this.#hex) ?? null;
  }

  /** Its status; null before it is found, and after it was dropped with its block. */
  get place(): TxPlace | null {
    return this.#search?.place ?? null;
  }

  get lastNumber(): number | null {
    return this.#search?.lastNumber ?? null;
  }

  /** Its effects in its current block; null until they are read, or if it is not in a block. */
  get effect(): Effect | null {
    const { place } = this;
    const isThere = place?.kind === 'block' && place.best && place.block === this.#effect?.block;
    return isThere ? this.#effect : null;
  }

  async send(): Promise<void> {
    const offer = this.probe?.offer ?? null;
    if (this.busy || offer === null) return;
    this.busy = true;
    this.fault = null;
    try {
      const hex = await signTransfer(this.#context, { from: alice, to: bob, amount: offer.amount });
      this.#search?.stop();
      this.#search = null;
      this.#effect = null;
      this.#hex = hex;
      const args = `{ dest: Id ${bob.name}, value: ${amountText(offer.amount, offer.unit)} }`;
      const item = await this.#sent.submit(hex, 'Balances.transfer_keep_alive', alice.name, args);
      if (item === null || item.refused !== null) return;
      this.#search = new TxSearch(this.#context.node, this.#context.chain, item.hash);
      await this.#search.search();
    } catch (fault) {
      this.fault = faultText(fault);
    } finally {
      this.busy = false;
    }
  }

  /** Called when the chain has changed: updates the status, and reads the effects in a new block. */
  async follow(best: number): Promise<void> {
    const search = this.#search;
    if (search === null || this.busy) return;
    await search.follow(best);
    const { place } = search;
    if (place?.kind !== 'block' || search !== this.#search) return;
    if (place.best && this.#effect?.block !== place.block) await this.#readEffect(place.block);
  }

  async #readEffect(block: string): Promise<void> {
    const { node, metas } = this.#context;
    const hex = this.#hex ?? '';
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
    if (hex === this.#hex) this.#effect = { block, changes, fee: feeOf(outcome?.events ?? []), failed };
  }
}
