import { AccountId, fromBufferToBase58 } from '@polkadot-api/substrate-bindings';
import { fromHex, readHex, toHex } from './hex.ts';

/** The SS58 address of an account id (0x string) for a prefix. */
export const toAddress = (id: string, prefix: number): string => fromBufferToBase58(prefix)(fromHex(id));

/** Longer than any address or public key. Decoding base58 takes time that grows with the square of the length. */
const longest = 100;

/** The account id (0x string) of an SS58 address with any prefix, or of a 0x string; null for other text. */
export const readAccount = (text: string): string | null => {
  const trimmed = text.trim();
  if (trimmed.length > longest) return null;
  if (/^0x/i.test(trimmed)) {
    const bytes = readHex(trimmed);
    return bytes?.length === 32 ? toHex(bytes) : null;
  }
  try {
    return toHex(AccountId().enc(trimmed));
  } catch {
    return null;
  }
};
