import { toAddress } from '../meta/address.ts';
import { eventName, fieldOf } from '../meta/names.ts';
import { Sent, type SentItem } from '../send/sent.svelte.ts';
import { devAccounts, type KnownAccount } from '../state/accounts.ts';
import { readUnit, type Unit } from '../state/amount.ts';
import type { Bench } from '../state/bench.ts';
import { faultText } from '../state/format.ts';
import { hasTransfer, loadFree, signTransfer } from './transfer.ts';

/** A balance before and after the block of the transfer, in the smallest unit. */
export type Change = {
  readonly name: string;
  readonly address: string;
  readonly before: bigint;
  readonly after: bigint;
};

/** What the block of the transfer did. */
export type Effect = { readonly block: string; readonly number: number; readonly changes: readonly Change[] };

const [alice, bob] = devAccounts as [KnownAccount, KnownAccount];
const wholeUnits = 5n;

/** The first transaction, 5 units from Alice to Bob: whether this chain can have it, its way, and what it changed. */
export class FirstTransfer {
  #bench: Pick<Bench, 'node' | 'metas'>;
  #sent: Sent;
  #probed = $state.raw(false);
  #unit = $state.raw<Unit | null>(null);
  #address = $state.raw<string | null>(null);
  #hex = $state.raw<string | null>(null);
  #busy = $state.raw(false);
  #fault = $state.raw<string | null>(null);
  #effect = $state.raw<Effect | null>(null);

  constructor({ node, metas, keep }: Pick<Bench, 'node' | 'metas' | 'keep'>) {
    this.#bench = { node, metas };
    this.#sent = keep('send.sent', () => new Sent(node, metas));
    void this.#probe()
      .catch(() => undefined)
      .finally(() => {
        this.#probed = true;
      });
  }

  /** Whether it is known what this chain can do. */
  get probed(): boolean {
    return this.#probed;
  }

  /** The chain's unit, once it is known that Alice has enough of it and can send it. */
  get unit(): Unit | null {
    return this.#unit;
  }

  /** Alice's address, once it is known that the chain has her account. */
  get address(): string | null {
    return this.#address;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Why nothing was sent. */
  get fault(): string | null {
    return this.#fault;
  }

  /** The transaction as the Send panel lists it. */
  get item(): SentItem | null {
    return this.#sent.items.find(({ hex }) => hex === this.#hex) ?? null;
  }

  /** What Alice paid, as the events say. */
  get fee(): bigint | null {
    for (const { event } of this.item?.events ?? []) {
      if (eventName(event) !== 'transactionPayment.TransactionFeePaid') continue;
      const paid = fieldOf(event.kind === 'variant' ? event.value : null, 'actual_fee');
      return paid?.kind === 'number' ? BigInt(paid.value) : null;
    }
    return null;
  }

  get effect(): Effect | null {
    return this.#effect;
  }

  async send(): Promise<void> {
    if (this.#busy || this.#unit === null) return;
    this.#busy = true;
    this.#fault = null;
    this.#effect = null;
    try {
      const amount = wholeUnits * 10n ** BigInt(this.#unit.decimals);
      const hex = await signTransfer(this.#bench, { from: alice, to: bob, amount });
      this.#hex = hex;
      await this.#sent.submit(hex, 'balances.transferKeepAlive', alice.name);
    } catch (fault) {
      this.#fault = faultText(fault);
    } finally {
      this.#busy = false;
    }
  }

  /** Reads what the transaction's block changed; a block that is left for another is read no more. */
  async readEffect(block: string): Promise<void> {
    if (this.#effect?.block === block) return;
    const { node, metas } = this.#bench;
    const { ss58Prefix } = await metas.at(block);
    const header = (await node.request('chain_getHeader', [block])) as {
      readonly number: string;
      readonly parentHash: string;
    };
    const changes = await Promise.all(
      [alice, bob].map(async (account) => ({
        name: account.name,
        address: toAddress(account.id, ss58Prefix),
        before: (await loadFree(this.#bench, account.id, header.parentHash)) ?? 0n,
        after: (await loadFree(this.#bench, account.id, block)) ?? 0n,
      })),
    );
    if (this.item?.block?.hash === block) this.#effect = { block, number: Number(header.number), changes };
  }

  /** A chain of somebody else's may have no Alice, no unit, or no such call: nothing is offered that fails. */
  async #probe(): Promise<void> {
    const { node, metas } = this.#bench;
    const meta = await metas.at(null);
    const free = await loadFree(this.#bench, alice.id, null);
    if (free === null || free === 0n) return;
    this.#address = toAddress(alice.id, meta.ss58Prefix);
    const unit = readUnit(await node.request('system_properties', []));
    // Enough for the fee and the deposit beside it.
    if (unit !== null && hasTransfer(meta) && free >= 2n * wholeUnits * 10n ** BigInt(unit.decimals))
      this.#unit = unit;
  }
}
