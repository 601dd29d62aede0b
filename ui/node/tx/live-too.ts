import { type Era, isSharedEra } from '../../../src/scale/era.ts';
import { groupDigits } from '../../kit/text/format.ts';
import { devAccounts, stashAccounts } from '../accounts.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { Signer } from './signers.svelte.ts';

/** Whether everybody can sign for an account, because its key is that of a development chain. */
export const isDevAccount = (id: string): boolean =>
  [...devAccounts, ...stashAccounts].some((account) => account.id === id);

/** Whether a signer has a key that is nobody else's. A path alone derives from the development phrase. */
const hasOwnKey = (signer: Signer): boolean =>
  signer.kind === 'wallet' || (signer.kind === 'key' && signer.suri?.startsWith('/') !== true);

/** Why a transaction that is signed for a fork could be submitted to its live chain, and what to do; null if it could not. */
export const liveWarning = (
  node: Pick<UiNode, 'base'>,
  signer: Signer,
  era: Era | undefined,
): string | null => {
  const base = node.base();
  if (base === null || !hasOwnKey(signer) || !isSharedEra(era, base.number)) return null;
  return era === undefined
    ? 'This transaction has no expiry, so the live chain accepts it too, and anyone who sees it can submit it there. Choose a number of blocks to sign for this fork only.'
    : `This fork has no blocks of its own yet, so the live chain accepts this transaction too, up to block #${groupDigits(era.until)}. Seal a block first to sign for this fork only.`;
};
