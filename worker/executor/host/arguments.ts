import { bytesToText } from '../../bytes/bytes.ts';
import { Trap } from '../trap.ts';
import type { HostContext } from './context.ts';

/**
 * A `&str` argument of the SDK, of which at most the first `most` bytes are kept. Traps unless all of its
 * bytes are UTF-8.
 */
export const takeText = ({ memory }: HostContext, span: bigint, most = 2 ** 32): string => {
  const bytes = memory.view(span);
  try {
    const text = bytesToText(bytes);
    return bytes.length > most ? memory.text(span, most) : text;
  } catch {
    throw new Trap('A text is not UTF-8');
  }
};

/** A number of an enum from 0 to `last`. Traps if it is another one. */
export const checkVariant = (value: number, last: number, what: string): number => {
  if (value >>> 0 > last) throw new Trap(`${value} is not a ${what}`);
  return value;
};
