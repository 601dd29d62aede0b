import { type Refusal, refuse } from '../../chain/refusal.ts';
import type { Header } from '../../codec/header.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { at, checkSeal } from '../engine-digest.ts';

/** Verifies that the slot's authority sealed the header (sc-consensus-aura `check_header_slot_and_seal`). */
export const checkTurn = (
  crypto: Crypto,
  header: Header,
  {
    slot,
    seal,
    authorities,
  }: {
    readonly slot: bigint;
    readonly seal: Uint8Array;
    readonly authorities: readonly Uint8Array[];
  },
): { readonly ok: true; readonly author: Uint8Array } | Refusal => {
  const author =
    authorities.length === 0 ? undefined : authorities[Number(slot % BigInt(authorities.length))];
  if (author === undefined) return refuse('WrongAuthor', at(header, `has slot ${slot}, which has no author`));
  // The runtime's API does not say which scheme its keys use. A key of one is never valid in the other.
  return checkSeal(crypto, header, seal, author, ['sr25519Verify', 'ed25519Verify']) ?? { ok: true, author };
};
