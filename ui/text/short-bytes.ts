import { toHex } from '../meta/hex.ts';
import { shortHex } from './format.ts';

/** Like `shortHex`, for bytes; only the ends are converted. */
export const shortBytes = (bytes: Uint8Array, head = 6, tail = 4): string =>
  bytes.length <= 64
    ? shortHex(toHex(bytes), head, tail)
    : `${toHex(bytes.subarray(0, 16)).slice(0, head)}…${toHex(bytes.subarray(-16)).slice(-tail)}`;
