import { readAccount } from '../../../../src/scale/address.ts';
import { createCursor, takeUnsigned } from '../../../../src/scale/cursor.ts';
import { fromHex } from '../../../../src/scale/hex.ts';
import { entryPrefix } from '../../../../src/scale/storage.ts';
import { faultText } from '../../../kit/text/format.ts';
import { accountName } from '../../../node/accounts.ts';
import type { ChainView } from '../../../node/chain-view.svelte.ts';
import { query } from '../../../node/client/query.svelte.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import { type ClaimKind, claimOf } from '../../../node/consensus/read-digest.ts';
import { type Epoch, isMissingMethod, loadEpoch } from '../../../node/consensus/read-epoch.ts';

/** One slot of the epoch. */
export type SlotCell = {
  readonly slot: number;
  /** Keys of this node that may claim it, each with the kind of claim; null if the node has not said. */
  readonly may: readonly { readonly who: string; readonly kind: ClaimKind }[] | null;
  /** The block of the best chain in this slot; null if there is none. */
  readonly did: { readonly number: number; readonly hash: string; readonly authority: number | null } | null;
};

type EpochState = {
  readonly epoch: Epoch | null;
  /** Index of the session (Session.CurrentIndex); null if the runtime has none. */
  readonly session: number | null;
  /** Why there is no epoch to show: the runtime has no BABE, or does not offer its epoch; null if there is one. */
  readonly none: string | null;
  /** Why the epoch could not be read. */
  readonly fault: string | null;
};

const noBabe = 'The runtime of the best block does not use BABE, so it has no epochs.';
const noMethod =
  'The runtime of the best block uses BABE, but is too old to have BabeApi_current_epoch, so its epoch cannot be shown.';

/** A longer epoch is shown in part: as many slots, of which one is that of the best block. */
const partSlots = 120;
/** Blocks that the block list loads at once. */
const pageBlocks = 40;

/** The epoch of the best block: who may claim its slots, and who did. */
export class EpochView {
  #node: UiNode;
  #chain: ChainView;
  now = $state.raw<EpochState>({ epoch: null, session: null, none: null, fault: null });
  /** The slots of this node's keys, asked for once per epoch and with each visit. */
  may = query(
    () => this.now.epoch?.startSlot,
    () => this.#readMay(),
  );
  /** Number of reads begun, and the latest whose result was taken. */
  #reads = { begun: 0, taken: 0 };
  #loading: Promise<void> = Promise.resolve();
  /** The slots of the shown part. */
  cells = $derived.by(() => this.#compute());

  constructor(node: UiNode, chain: ChainView) {
    this.#node = node;
    this.#chain = chain;
  }

  /**
   * Reads the epoch of a block. What arrives after the epoch of a block that was read later is dropped.
   */
  async read(hash: string): Promise<void> {
    const turn = ++this.#reads.begun;
    try {
      const epoch = await loadEpoch(this.#node, hash);
      const session = epoch === null ? null : await this.#readSession(hash);
      if (this.#isLate(turn)) return;
      this.now = { ...this.now, none: epoch === null ? noBabe : null, fault: null };
      if (epoch !== null) await this.#take(epoch, session);
    } catch (fault) {
      if (this.#isLate(turn)) return;
      // To ask again would not help: old runtimes have BABE without this method.
      this.now = isMissingMethod(fault)
        ? { ...this.now, none: noMethod, fault: null }
        : { ...this.now, fault: faultText(fault) };
    }
  }

  #isLate(turn: number): boolean {
    if (turn < this.#reads.taken) return true;
    this.#reads.taken = turn;
    return false;
  }

  async #take(epoch: Epoch, session: number | null): Promise<void> {
    const before = this.now.epoch;
    const isNew = epoch.startSlot !== before?.startSlot || epoch.index !== before.index;
    this.now = { ...this.now, session, epoch: isNew ? epoch : before };
    if (!isNew) return;
    await this.#loadPart();
  }

  async #readSession(hash: string): Promise<number | null> {
    const key = entryPrefix('Session', 'CurrentIndex');
    const hex = await this.#node.request('state_getStorage', [key, hash]);
    return hex?.length === 10 ? Number(takeUnsigned(createCursor(fromHex(hex)), 4)) : null;
  }

  async #readMay(): Promise<ReadonlyMap<number, NonNullable<SlotCell['may']>>> {
    const found = new Map<number, { who: string; kind: ClaimKind }[]>();
    const add = (who: string, kind: ClaimKind, slots: readonly number[]): void => {
      for (const slot of slots) found.set(slot, [...(found.get(slot) ?? []), { who, kind }]);
    };
    for (const [address, claims] of Object.entries(await this.#node.request('babe_epochAuthorship', []))) {
      const who = accountName(readAccount(address) ?? '') ?? address;
      add(who, 'primary', claims.primary);
      add(who, 'secondary plain', claims.secondary);
      add(who, 'secondary VRF', claims.secondary_vrf);
    }
    return found;
  }

  /** Loads the blocks of the shown part. Loads run in sequence, as each continues from the last block. */
  #loadPart(): Promise<void> {
    this.#loading = this.#loading.then(() => this.#loadBack());
    return this.#loading;
  }

  async #loadBack(): Promise<void> {
    const { epoch } = this.now;
    if (epoch === null) return;
    const first = this.#firstSlot(epoch);
    for (let pages = 0; pages <= epoch.duration / pageBlocks; pages += 1) {
      const last = this.#chain.keptBlocks.at(-1);
      const slot = last && claimOf(last.header.digest.logs)?.slot;
      if (!last || last.number === 0 || slot === undefined || slot < first) return;
      await this.#chain.loadBelow();
    }
  }

  /** The first of the shown slots. */
  #firstSlot({ startSlot, duration }: Epoch): number {
    const [best] = this.#chain.blocks;
    const slot = (best && claimOf(best.header.digest.logs)?.slot) ?? startSlot;
    const passed = Math.min(duration - 1, Math.max(0, slot - startSlot));
    return startSlot + Math.floor(passed / partSlots) * partSlots;
  }

  #compute(): readonly SlotCell[] {
    const { epoch } = this.now;
    if (epoch === null) return [];
    const first = this.#firstSlot(epoch);
    const did = new Map<number, NonNullable<SlotCell['did']>>();
    for (const { number, hash, header } of this.#chain.keptBlocks) {
      const claim = claimOf(header.digest.logs);
      if (claim === null) continue;
      if (claim.slot < first) break;
      did.set(claim.slot, { number, hash, authority: claim.authority });
    }
    const count = Math.min(partSlots, epoch.startSlot + epoch.duration - first);
    const may = this.may.value;
    return Array.from({ length: count }, (_, index) => {
      const slot = first + index;
      return { slot, may: may && (may.get(slot) ?? []), did: did.get(slot) ?? null };
    });
  }
}
