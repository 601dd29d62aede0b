import { readUnit, type Unit } from '../../../kit/text/amount.ts';
import { faultText } from '../../../kit/text/format.ts';
import { devAccounts, type KnownAccount } from '../../../node/accounts.ts';
import type { PageContext } from '../../../node/page-context.ts';
import { firstAmount, hasTransfer, loadFree, minimumBalance, signTransfer } from './transfer.ts';

/** Resolves when the next transfer is due. */
export type Pause = () => Promise<void>;
/** Returns an integer from 0 to `below`, exclusive. */
type Dice = (below: number) => number;
type Around = Pick<PageContext, 'node' | 'metadata'> & Pick<Parameters<typeof signTransfer>[0], 'keys'>;

const everyMs = 3000;
/**
 * No more transfers are added above this many pending ones, because blocks may be sealed manually or not at
 * all.
 */
const maxPending = 3;

const timedPause: Pause = () => new Promise((resolve) => setTimeout(resolve, everyMs));

/** Yields the same sequence for the same seed (a linear congruential generator, Numerical Recipes). */
const createDice = (seed = 7): Dice => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** Sends signed transfers between development accounts, one at a time, until `stop` or an error. */
export class DemoTraffic {
  #around: Around;
  #pause: Pause;
  #dice = createDice();
  #ending = new AbortController();
  /** Number of transfers that the node has accepted. */
  sent = $state(0);
  /** Whether it is waiting for a block, because the pool has enough transactions. */
  isFull = $state(false);
  /** The error that ended it; null while it runs, and after `stop`. */
  ended = $state.raw<string | null>(null);

  /** `stopped` is aborted when the chain is closed. */
  constructor({ node, metadata, keys }: Around, stopped: AbortSignal, pause: Pause = timedPause) {
    this.#around = { node, metadata, keys };
    this.#pause = pause;
    stopped.addEventListener('abort', () => this.stop(), { once: true });
    void this.#run(this.#ending.signal).catch((fault: unknown) => {
      if (!this.#ending.signal.aborted) this.ended = faultText(fault);
    });
  }

  /** Stops the traffic; no more transactions are submitted. */
  stop(): void {
    this.#ending.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { node, metadata } = this.#around;
    const meta = await metadata.at(null);
    if (!hasTransfer(meta)) throw new Error('This runtime has no Balances.transfer_keep_alive.');
    const unit = readUnit(await node.request('system_properties', []));
    while (!signal.aborted) {
      this.isFull = (await node.request('author_pendingExtrinsics', [])).length >= maxPending;
      if (!this.isFull) await this.#trade(unit, minimumBalance(meta), signal);
      await this.#pause();
    }
  }

  /** Sends one transfer from an account that can pay for it. */
  async #trade(unit: Unit | null, minimum: bigint, signal: AbortSignal): Promise<void> {
    const states = await Promise.all(
      devAccounts.map(async (account) => ({
        account,
        amount: firstAmount(unit, (await loadFree(this.#around, account.id, null)) ?? 0n, minimum),
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
    // Between a fifth of the amount and all of it, so that transfers differ.
    const part = (amount * BigInt(1 + this.#dice(5))) / 5n;
    const { hex } = await signTransfer(this.#around, { from, to, amount: part });
    if (signal.aborted) return;
    await this.#around.node.request('author_submitExtrinsic', [hex]);
    this.sent += 1;
  }
}
