import { AccountId, fromBufferToBase58 } from '@polkadot-api/substrate-bindings';
import { fromHex, readHex, toHex } from './hex.ts';

/** The SS58 text of an account id (0x text) under a prefix. */
export const toAddress = (id: string, prefix: number): string => fromBufferToBase58(prefix)(fromHex(id));

/** The account id (0x text) that an SS58 text of any prefix, or 0x text, means; null for neither. */
export const readAccount = (text: string): string | null => {
  const trimmed = text.trim();
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
