import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import type { Crypto } from './crypto.ts';

/** What the keys of a pallet's item begin with; the whole key of a plain value (frame-support, storage/generator). */
export const itemPrefix = ({ twox128 }: Pick<Crypto, 'twox128'>, pallet: string, item: string): Uint8Array =>
  concatBytes(twox128(textToBytes(pallet)), twox128(textToBytes(item)));
