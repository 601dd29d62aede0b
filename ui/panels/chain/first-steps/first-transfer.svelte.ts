import { writeJson } from '../../../../src/protocol/json.ts';
import { toAddress } from '../../../../src/scale/address.ts';
import { amountText, readUnit, type Unit } from '../../../kit/text/amount.ts';
import { faultText } from '../../../kit/text/format.ts';
import { devAccounts, type KnownAccount } from '../../../node/accounts.ts';
import type { PageContext } from '../../../node/page-context.ts';
import { keepSent, type Sent } from '../../../node/tx/sent.svelte.ts';
import type { SentItem } from '../../../node/tx/sent-item.ts';
import { firstAmount, hasTransfer, loadFree, minimumBalance, signTransfer } from './transfer.ts';

/** A balance before and after the block of the transfer, in the smallest unit. */
export type Change = {
  readonly name: string;
  readonly address: string;
  readonly before: bigint;
  readonly after: bigint;
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
type Context = Pick<PageContext, 'node' | 'metadata'>;

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
const probeChain = async (context: Context): Promise<Probe> => {
  const meta = await context.metadata.at(null);
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

/** What the transfer changed in a block. Rejects with the node's errors. */
export const loadChanges = async (context: Context, block: string): Promise<readonly Change[]> => {
  const { ss58Prefix } = await context.metadata.of(block);
  const parent = (await context.node.request('chain_getHeader', [block]))?.parentHash ?? null;
  return Promise.all(
    [alice, bob].map(async ({ id, name }) => ({
      name,
      address: toAddress(id, ss58Prefix),
      before: (await loadFree(context, id, parent)) ?? 0n,
      after: (await loadFree(context, id, block)) ?? 0n,
    })),
  );
};

/** The first transaction, from Alice to Bob: whether this chain supports it, and the transfer that was sent. */
export class FirstTransfer {
  #context: Context;
  #sent: Sent;
  /** Null until it is known. */
  probe = $state.raw<Probe | null>(null);
  /** Id of the transaction in the list; null until there is one. After a reload, the one that was in flight. */
  #id = $state.raw<string | null>(null);
  busy = $state.raw(false);

  constructor(context: Context & Pick<PageContext, 'keep' | 'session'>) {
    const { node, metadata } = context;
    this.#context = { node, metadata };
    this.#sent = keepSent(context);
    this.#id = this.#sent.items.find(({ isFirst, lost }) => isFirst && lost)?.id ?? null;
    void probeChain(this.#context)
      .catch((fault: unknown) => ({ address: null, offer: null, why: faultText(fault) }))
      .then((found) => (this.probe = found));
  }

  /** The transaction as the Send panel lists it. */
  get item(): SentItem | null {
    return this.#sent.items.find(({ id }) => id === this.#id) ?? null;
  }

  async send(): Promise<void> {
    const offer = this.probe?.offer ?? null;
    if (this.busy || offer === null) return;
    this.busy = true;
    try {
      const id = crypto.randomUUID();
      this.#id = id;
      const args = `{ dest: Id ${bob.name}, value: ${amountText(offer.amount, offer.unit)} }`;
      const sign = () => signTransfer(this.#context, { from: alice, to: bob, amount: offer.amount });
      const about = ['Balances.transfer_keep_alive', alice.name, args, args] as const;
      await this.#sent.submit(sign, ...about, { id, isFirst: true });
    } finally {
      this.busy = false;
    }
  }
}
