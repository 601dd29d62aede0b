import { concatBytes } from '../../bytes/bytes.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { itemPrefix } from '../../crypto/storage-keys.ts';
import type { Backend } from '../../state/backend.ts';

/** `MultiAddress::Id` of sp-runtime, and the mark of a public key in the addresses of 2020. */
const marks = [0x00, 0xff];
const idLength = 32;
/** Of a batch, the first ones. */
const mostAccounts = 8;

/** A MultiSignature: its kind, and its bytes, of which an ECDSA signature has one more. */
const signatureLength = 1 + 64;

/** Whether the version of an extrinsic, behind its length, says that it is signed (sp-runtime, `UncheckedExtrinsic`). */
const isSigned = (extrinsic: Uint8Array): boolean => {
  const lengthBytes = [1, 2, 4, 5][(extrinsic[0] ?? 0) & 3] as number;
  return ((extrinsic[lengthBytes] ?? 0) & 0x80) !== 0;
};

/**
 * What may be accounts in an extrinsic: the 32 bytes behind each mark that is not one of several in a row. The signature, which
 * follows the account of the signer, is skipped: its bytes are random, and would be read for nothing.
 */
const likelyAccounts = (extrinsic: Uint8Array): Uint8Array[] => {
  const found: Uint8Array[] = [];
  for (let at = 1; at + idLength <= extrinsic.length && found.length < mostAccounts; at++) {
    const isMarked = marks.includes(extrinsic[at - 1] as number) && !marks.includes(extrinsic[at] as number);
    if (!isMarked) continue;
    found.push(extrinsic.slice(at, at + idLength));
    if (found.length === 1 && isSigned(extrinsic)) at += idLength + signatureLength;
  }
  return found;
};

/**
 * Reads the accounts that a transaction is likely to need, whatever its calls are: its validation reads the sender only, so
 * the block with it would wait for the recipient's once more. Those that are none cost some nodes in the same proof.
 */
export const createAccountReader = ({ twox128, blake2b128 }: Pick<Crypto, 'twox128' | 'blake2b128'>) => {
  const prefix = itemPrefix({ twox128 }, 'System', 'Account');
  return (state: Pick<Backend, 'get'>, extrinsic: Uint8Array): void => {
    for (const id of likelyAccounts(extrinsic)) state.get(concatBytes(prefix, blake2b128(id), id));
  };
};
