import type { Crypto } from '../../crypto/crypto.ts';
import type { BabeEpoch } from '../../executor/runtime-api-consensus.ts';
import type { Keystore } from '../../keystore/keystore.ts';
import { claimSlot, ownKeys } from './babe.ts';

/** The slots of an epoch that one key may claim, ascending. */
export type KeySlots = {
  readonly publicKey: Uint8Array;
  readonly primary: bigint[];
  readonly secondary: bigint[];
  readonly secondaryVrf: bigint[];
};

const lists = { primary: 'primary', secondaryPlain: 'secondary', secondaryVrf: 'secondaryVrf' } as const;

/** An epoch of hours has thousands of slots, each with a VRF per key, so the work yields in between. */
const slotsPerSlice = 16n;

/**
 * Every slot of an epoch that keys in the keystore win (sc-consensus-babe-rpc). Keys without any are omitted.
 */
export const epochAuthorship = async (
  deps: {
    readonly crypto: Crypto;
    readonly keystore: Pick<Keystore, 'pairs'>;
    readonly yieldNow: () => Promise<void>;
  },
  epoch: BabeEpoch,
): Promise<KeySlots[]> => {
  const keys = ownKeys(deps, epoch);
  const found = new Map<number, KeySlots>();
  if (keys.length === 0) return [];
  for (let passed = 0n; passed < epoch.duration; passed++) {
    if (passed % slotsPerSlice === slotsPerSlice - 1n) await deps.yieldNow();
    const slot = epoch.startSlot + passed;
    const won = claimSlot(deps, slot, epoch, keys);
    if (won === null) continue;
    const { index, publicKey } = won.key;
    const slots = found.get(index) ?? { publicKey, primary: [], secondary: [], secondaryVrf: [] };
    slots[lists[won.digest.kind]].push(slot);
    found.set(index, slots);
  }
  return [...found.values()];
};
