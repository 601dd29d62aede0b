import { toAddress } from '../../../../src/scale/address.ts';
import { findCall } from '../../../../src/scale/calls.ts';
import { createCursor, takeUnsigned } from '../../../../src/scale/cursor.ts';
import { addressJson, encodeCall } from '../../../../src/scale/extrinsic.ts';
import { fromHex } from '../../../../src/scale/hex.ts';
import { encodeKey, storageEntry } from '../../../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../../../src/scale/types.ts';
import type { Unit } from '../../../kit/text/amount.ts';
import type { KnownAccount } from '../../../node/accounts.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import type { MetadataOfBlocks } from '../../../node/metadata.svelte.ts';
import { readAccountState } from '../../../node/tx/balance.svelte.ts';
import { eraOf } from '../../../node/tx/era.ts';
import type { Signed } from '../../../node/tx/sent.svelte.ts';
import type { KeySigner } from '../../../node/tx/signers.svelte.ts';
import { loadFacts, signCall } from '../../../node/tx/signing.ts';

type Ends = { readonly from: KnownAccount; readonly to: KnownAccount; readonly amount: bigint };
type Asked = {
  readonly node: Parameters<typeof loadFacts>[0];
  readonly metadata: Pick<MetadataOfBlocks, 'at'>;
  /** Who holds the keys; default: the page's key worker. */
  readonly keys?: KeySigner['keys'] | undefined;
};

const pallet = 'Balances';
const call = 'transfer_keep_alive';

/** Whether the runtime has the call used for transfers. */
export const hasTransfer = (meta: RuntimeMeta): boolean => findCall(meta, pallet, call) !== null;

const wholeUnits = 5n;

/** The balance below which an account is removed, in the smallest unit; 0 if the runtime declares none. */
export const minimumBalance = (meta: RuntimeMeta): bigint => {
  const found = meta.pallet(pallet)?.constants.find(({ name }) => name === 'ExistentialDeposit');
  const bytes = fromHex(found?.value ?? '0x');
  return takeUnsigned(createCursor(bytes), bytes.length);
};

/** How many minimum balances are sent on a chain without a unit. */
export const minimumCount = 1000n;

/**
 * The amount of a first transfer in the smallest unit: 5 of the chain's unit. If it has none, a thousand minimum
 * balances or, without a minimum, a power of ten of at most a thousandth of the sender's balance. Null if the sender's
 * balance is less than twice that.
 */
export const firstAmount = (unit: Unit | null, free: bigint, minimum: bigint): bigint | null => {
  const amount =
    unit !== null
      ? wholeUnits * 10n ** BigInt(unit.decimals)
      : minimum > 0n
        ? minimumCount * minimum
        : 10n ** BigInt((free / 1000n).toString().length - 1);
  return free >= 2n * amount ? amount : null;
};

/**
 * Signs a transfer between development accounts; `amount` is in the smallest unit. Rejects if encoding or the
 * node fails.
 */
export const signTransfer = async (
  { node, metadata, keys }: Asked,
  { from, to, amount }: Ends,
): Promise<Signed> => {
  const meta = await metadata.at(null);
  const dest = addressJson(meta, toAddress(to.id, meta.ss58Prefix));
  const bytes = encodeCall(meta, pallet, call, { dest, value: amount.toString() });
  const facts = await loadFacts(node, toAddress(from.id, meta.ss58Prefix), null);
  const key = { kind: 'key', id: from.id, name: from.name, suri: from.suri ?? '' } as const;
  const signer: KeySigner = keys === undefined ? key : { ...key, keys };
  const options = { nonce: null, tip: 0n, period: 64 };
  return { hex: await signCall(meta, bytes, signer, facts, options), era: eraOf(facts, options) };
};

/** The free balance of an account after a block, in the smallest unit; null if the state has no accounts. */
export const loadFree = async (
  {
    node,
    metadata,
  }: { readonly node: Pick<UiNode, 'request'>; readonly metadata: Pick<MetadataOfBlocks, 'of'> },
  id: string,
  block: string | null,
): Promise<bigint | null> => {
  const meta = await metadata.of(block);
  const entry = storageEntry(meta, 'System', 'Account');
  if (entry === null) return null;
  const key = encodeKey(meta, entry, [toAddress(id, meta.ss58Prefix)]);
  const hex = await node.request('state_getStorage', block === null ? [key] : [key, block]);
  return readAccountState(meta, hex)?.free ?? null;
};
