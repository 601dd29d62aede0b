import type { UiNode } from '../client/ui-node.ts';
import { toAddress } from '../meta/address.ts';
import { findCall } from '../meta/calls.ts';
import { encodeCall } from '../meta/extrinsic.ts';
import { encodeKey, storageEntry } from '../meta/storage.ts';
import type { RuntimeMeta } from '../meta/types.ts';
import type { KnownAccount } from '../state/accounts.ts';
import type { Metas } from '../state/metas.svelte.ts';
import { readAccountState } from '../state/transactions/balance.svelte.ts';
import { addressJson, loadFacts, signCall } from '../state/transactions/signing.ts';
import type { Unit } from '../text/amount.ts';

type Ends = { readonly from: KnownAccount; readonly to: KnownAccount; readonly amount: bigint };
type Asked = { readonly node: Pick<UiNode, 'request' | 'info'>; readonly metas: Pick<Metas, 'at'> };

const pallet = 'Balances';
const call = 'transfer_keep_alive';

/** Whether the runtime has the call used for transfers. */
export const hasTransfer = (meta: RuntimeMeta): boolean => findCall(meta, pallet, call) !== null;

const wholeUnits = 5n;

/**
 * The amount of a first transfer in the smallest unit: 5 of the chain's unit or, if it has none, a power of
 * ten of at most a thousandth of the sender's balance. Null if the sender's balance is less than twice that.
 */
export const firstAmount = (unit: Unit | null, free: bigint): bigint | null => {
  const amount =
    unit === null
      ? 10n ** BigInt((free / 1000n).toString().length - 1)
      : wholeUnits * 10n ** BigInt(unit.decimals);
  return free >= 2n * amount ? amount : null;
};

/**
 * Signs a transfer between development accounts; `amount` is in the smallest unit. Rejects if encoding or the
 * node fails.
 */
export const signTransfer = async ({ node, metas }: Asked, { from, to, amount }: Ends): Promise<string> => {
  const meta = await metas.at(null);
  const dest = addressJson(meta, toAddress(to.id, meta.ss58Prefix));
  const bytes = encodeCall(meta, pallet, call, { dest, value: amount.toString() });
  const facts = await loadFacts(node, toAddress(from.id, meta.ss58Prefix), null);
  const signer = { kind: 'key', id: from.id, name: from.name, suri: from.suri ?? '' } as const;
  return signCall(meta, bytes, signer, facts, { nonce: null, tip: 0n, period: 64 });
};

/** The free balance of an account after a block, in the smallest unit; null if the state has no accounts. */
export const loadFree = async (
  { node, metas }: { readonly node: Pick<UiNode, 'request'>; readonly metas: Pick<Metas, 'of'> },
  id: string,
  block: string | null,
): Promise<bigint | null> => {
  const meta = await metas.of(block);
  const entry = storageEntry(meta, 'System', 'Account');
  if (entry === null) return null;
  const key = encodeKey(meta, entry, [toAddress(id, meta.ss58Prefix)]);
  const hex = await node.request('state_getStorage', block === null ? [key] : [key, block]);
  return readAccountState(meta, hex)?.free ?? null;
};
