import type { TransactionStatus, Watcher } from '../../../pool/watchers.ts';
import type { RpcParts } from '../../parts.ts';

/**
 * How long after `inBlock` a client is told that the block is final. polkadot-js fetches the block on `inBlock` and drops
 * it when the next status arrives, so that of two at once it shows the last one only (decisions 15 and 80).
 */
const apartMs = 100;

/** A watcher to which `finalized` comes some time after `inBlock`, with a function that ends it. */
export const apart = (
  schedule: RpcParts['schedule'],
  watcher: Watcher,
): { readonly watcher: Watcher; readonly end: () => void } => {
  let isRecent = false;
  let held: TransactionStatus | null = null;
  let cancel = (): void => undefined;
  const release = (): void => {
    isRecent = false;
    if (held !== null) watcher(held);
  };
  return {
    watcher: (status) => {
      if (status.kind === 'finalized' && isRecent) held = status;
      else watcher(status);
      if (status.kind !== 'inBlock') return;
      cancel();
      isRecent = true;
      cancel = schedule(apartMs, release);
    },
    end: () => cancel(),
  };
};
