import { devAccounts, type KnownAccount } from '../state/accounts.ts';
import { readUnit, type Unit } from '../state/amount.ts';
import type { Bench } from '../state/bench.ts';
import { faultText } from '../state/format.ts';
import { firstAmount, hasTransfer, loadFree, signTransfer } from './transfer.ts';

/** Resolves when the next transfer is due; rejects when the signal fires. */
export type Pace = (signal: AbortSignal) => Promise<void>;
/** A number from 0 up to, not including, `below`. */
type Dice = (below: number) => number;
type Around = Pick<Bench, 'node' | 'metas'>;

const everyMs = 3000;
/** With that many transactions in the pool nothing is added: blocks may be sealed by hand only, or not at all. */
const mostPending = 3;

const realPace: Pace = (signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, everyMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The same trades in the same order each time (a linear congruential generator, Numerical Recipes). */
const createDice = (seed = 7): Dice => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** A few development accounts trade, one ordinary signed transfer at a time, until `stop` or until something goes wrong. */
export class DemoTraffic {
  #around: Around;
  #pace: Pace;
  #dice = createDice();
  #ending = new AbortController();
  #sent = $state(0);
  #isFull = $state(false);
  #ended = $state.raw<string | null>(null);

  /** `stopped` fires when the chain is left. */
  constructor({ node, metas }: Around, stopped: AbortSignal, pace: Pace = realPace) {
    this.#around = { node, metas };
    this.#pace = pace;
    stopped.addEventListener('abort', () => this.stop(), { once: true });
    void this.#run(this.#ending.signal).catch((fault: unknown) => {
      if (!this.#ending.signal.aborted) this.#ended = faultText(fault);
    });
  }

  /** Transfers that the node has taken. */
  get sent(): number {
    return this.#sent;
  }

  /** Whether it waits for a block: the pool holds enough of its transfers. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Why it ended by itself; null while it runs, and after `stop`. */
  get ended(): string | null {
    return this.#ended;
  }

  /** Nothing is submitted from now on. */
  stop(): void {
    this.#ending.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { node, metas } = this.#around;
    if (!hasTransfer(await metas.at(null)))
      throw new Error('This runtime has no Balances.transfer_keep_alive.');
    const unit = readUnit(await node.request('system_properties', []));
    while (!signal.aborted) {
      this.#isFull = (await node.request('author_pendingExtrinsics', [])).length >= mostPending;
      if (!this.#isFull) await this.#trade(unit, signal);
      await this.#pace(signal);
    }
  }

  /** One transfer between two accounts, the first of which can pay it. */
  async #trade(unit: Unit | null, signal: AbortSignal): Promise<void> {
    const states = await Promise.all(
      devAccounts.map(async (account) => ({
        account,
        amount: firstAmount(unit, (await loadFree(this.#around, account.id, null)) ?? 0n),
      })),
    );
    const payers = states.filter(
      (one): one is { account: KnownAccount; amount: bigint } => one.amount !== null,
    );
    const payer = payers[this.#dice(payers.length)];
    if (payer === undefined) throw new Error('The development accounts have run out of funds.');
    const { account: from, amount } = payer;
    const others = devAccounts.filter((account) => account !== from);
    const to = others[this.#dice(others.length)] ?? from;
    // From a fifth of the amount to all of it: not every row of the chain reads the same.
    const part = (amount * BigInt(1 + this.#dice(5))) / 5n;
    const hex = await signTransfer(this.#around, { from, to, amount: part });
    if (signal.aborted) return;
    await this.#around.node.request('author_submitExtrinsic', [hex]);
    this.#sent += 1;
  }
}
