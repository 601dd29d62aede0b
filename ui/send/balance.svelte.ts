import { createSubscriber } from 'svelte/reactivity';
import { toAddress } from '../meta/address.ts';
import { fieldOf } from '../meta/names.ts';
import { decodeStored, encodeKey, storageEntry } from '../meta/storage.ts';
import type { Decoded, RuntimeMeta } from '../meta/types.ts';
import { createLatest } from '../state/pace.ts';
import type { UiNode } from '../state/ui-node.ts';

/** What System.Account says of one account. */
export type AccountState = { readonly nonce: number; readonly free: bigint | null };

const numberOf = (value: Decoded | null): bigint | null =>
  value?.kind === 'number' ? BigInt(value.value) : null;

/** Reads a value of System.Account; null where the runtime has no such entry. */
export const readAccountState = (meta: RuntimeMeta, hex: string | null): AccountState | null => {
  const entry = storageEntry(meta, 'System', 'Account');
  const stored = entry === null ? null : decodeStored(meta, entry, hex);
  if (stored === null) return null;
  return {
    nonce: Number(numberOf(fieldOf(stored.value, 'nonce')) ?? 0n),
    free: numberOf(fieldOf(fieldOf(stored.value, 'data'), 'free')),
  };
};

type ChangeSet = { readonly changes: readonly (readonly [string, string | null])[] };

/** Balance and nonce of an account at the best block, live while somebody reads them. */
export class LiveAccount {
  #state = $state.raw<AccountState | null>(null);
  #watch: () => void;

  constructor(node: Pick<UiNode, 'subscribe'>, meta: RuntimeMeta, id: string) {
    this.#watch = createSubscriber(() => {
      const entry = storageEntry(meta, 'System', 'Account');
      if (entry === null) return;
      const key = encodeKey(meta, entry, [toAddress(id, meta.ss58Prefix)]);
      const subscription = node.subscribe(
        'state_subscribeStorage',
        [[key]],
        'state_unsubscribeStorage',
        createLatest((item) => {
          const change = (item as ChangeSet).changes.find(([changed]) => changed === key);
          if (change !== undefined) this.#state = readAccountState(meta, change[1]);
        }),
      );
      // Without the subscription the line stays away; the traffic tells why.
      subscription.opened.catch(() => undefined);
      return () => subscription.close();
    });
  }

  /** Null until it is known, and on chains without System.Account. */
  get state(): AccountState | null {
    this.#watch();
    return this.#state;
  }
}
