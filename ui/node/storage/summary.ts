import { toHex } from '../../../src/scale/hex.ts';
import { meaningText, type Words } from '../../../src/scale/meanings.ts';
import { callName, fieldOf } from '../../../src/scale/names.ts';
import type { KeyReading } from '../../../src/scale/storage.ts';
import type { Decoded } from '../../../src/scale/types.ts';
import {
  countText,
  durationText,
  groupDigits,
  momentText,
  shortHex,
  sizeText,
} from '../../kit/text/format.ts';
import { readText, shortBytes } from '../../kit/text/short-bytes.ts';
import { accountName } from '../accounts.ts';

const longest = 160;

const unwrap = (value: Decoded | null): Decoded | null =>
  value?.kind === 'variant' && value.value !== null ? unwrap(value.value) : value;

/** Formats an amount that is certainly in the chain's unit. */
export type WriteAmount = (amount: bigint) => string;

const wordsOf = (amount: WriteAmount): Words => ({
  amount,
  moment: momentText,
  number: groupDigits,
  bytes: (value) => shortBytes(value, 10, 6),
  weight: (refTime, proofSize) => `${durationText(refTime / 1e9)}, ${sizeText(proofSize)} proof`,
});

/** What a value means, in one line; null if that is no more than its type says. */
export const meaningLine = (value: Decoded, amount: WriteAmount): string | null =>
  meaningText(value, wordsOf(amount));

/** A decoded value in one line, truncated if too long. */
export const summaryText = (value: Decoded, amount: WriteAmount = groupDigits): string =>
  summary(value, 0, amount);

/** A stored value in one line; shortened bytes if they cannot be decoded. */
export const valueText = (
  { decoded, bytes }: { readonly decoded: Decoded | null; readonly bytes: Uint8Array },
  amount: WriteAmount,
): string => (decoded === null ? shortHex(toHex(bytes), 20, 8) : summaryText(decoded, amount));

const summary = (value: Decoded, depth: number, amount: WriteAmount): string => {
  const text = meaningText(value, wordsOf(amount)) ?? write(value, depth, amount);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

/** The name of a call in another one's arguments, as `Balances.transfer_all`; null for other values. */
const innerCall = (value: Decoded): string | null => (/Call$/.test(value.type) ? callName(value) : null);

/** Receiver and amount of a call, if it is a transfer; null for other calls. */
export const readTransfer = (name: string | null, args: Decoded | null) => {
  const [dest, value] = [unwrap(fieldOf(args, 'dest')), fieldOf(args, 'value')];
  return name?.startsWith('Balances.transfer') && dest?.kind === 'account' && value?.kind === 'number'
    ? { to: accountName(dest.id) ?? shortHex(dest.value), amount: BigInt(value.value) }
    : null;
};

/** A call of a batch in a few words: `→ Bob 5 UNIT`; null for one that is no transfer. */
const transferText = (name: string | null, call: Decoded, amount: WriteAmount): string | null => {
  const inner = call.kind === 'variant' && call.value?.kind === 'variant' ? call.value.value : null;
  const sent = readTransfer(name, inner);
  return sent === null ? null : `→ ${sent.to} ${amount(sent.amount)}`;
};

/** A call in a short line: `transfer_keep_alive → Bob 5 UNIT`; one that is no transfer with its arguments. */
export const callLine = (call: Decoded, amount: WriteAmount): string => {
  const name = innerCall(call);
  const sent = transferText(name, call, amount);
  return sent === null ? summaryText(call, amount) : `${name?.split('.')[1]} ${sent}`;
};

/** The calls of a batch: `12 calls: → Bob 5 UNIT, 11 × System.remark`; null for another value. */
const batchText = (value: Decoded | undefined, amount: WriteAmount): string | null => {
  if (value?.kind !== 'list' || value.items.length === 0) return null;
  const texts = value.items.map((item) => {
    const name = innerCall(item);
    return name === null ? null : (transferText(name, item, amount) ?? name);
  });
  if (texts.includes(null)) return null;
  const groups = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${groupDigits(length)} × ${text}`,
  );
  const count = groups.length === 1 && texts.length > 1 ? '' : `${countText(texts.length, 'call')}: `;
  return count + groups.join(', ');
};

/** A variant and its value; a call is named by its pallet and its name. */
const variantText = (
  name: string,
  value: Decoded | null,
  call: string | null,
  depth: number,
  amount: WriteAmount,
): string => {
  const inner = call !== null && value?.kind === 'variant' ? value.value : value;
  return [
    call ?? name,
    ...(inner === null ? [] : [summary(inner, call === null ? depth + 1 : depth, amount)]),
  ].join(' ');
};

const write = (value: Decoded, depth: number, amount: WriteAmount): string => {
  switch (value.kind) {
    case 'number':
      return groupDigits(value.value);
    case 'bool':
      return String(value.value);
    case 'text':
      return `"${value.value}"`;
    case 'bits':
      return `0b${value.value}`;
    case 'bytes': {
      const text = readText(value.value, 32);
      // Isolated, so that it does not turn the words around it.
      return shortBytes(value.value, 10, 6) + (text && ` "\u2068${text}\u2069"`);
    }
    case 'account':
      return accountName(value.id) ?? shortHex(value.value, 6, 6);
    case 'void':
      return '()';
    case 'none':
      return 'None';
    case 'some':
      return summary(value.value, depth, amount);
    case 'variant':
      return variantText(value.name, value.value, innerCall(value), depth, amount);
    case 'struct':
      if (depth > 2) return '{…}';
      if (value.fields.length === 1) {
        const [only] = value.fields;
        const batch = batchText(only?.value, amount);
        if (batch !== null) return batch;
        // A type of its own that holds one value, and not the only argument of a call.
        if (only !== undefined && value.type !== '') return summary(only.value, depth, amount);
      }
      return `{ ${value.fields
        .slice(0, 8)
        .map(({ label, value: of }) => `${label}: ${summary(of, depth + 1, amount)}`)
        .join(', ')}${value.fields.length > 8 ? ', …' : ''} }`;
    case 'list': {
      if (depth > 2) return `[${countText(value.items.length, 'item')}]`;
      const batch = batchText(value, amount);
      if (batch !== null) return batch;
      const shown = value.items.slice(0, 6).map((item) => summary(item, depth + 1, amount));
      return `[${shown.join(', ')}${value.items.length > 6 ? `, … ${groupDigits(value.items.length)}` : ''}]`;
    }
  }
};

/**
 * Label of a map entry by its keys: readable keys first, opaque hashes last. Addresses are shortened unless
 * requested whole.
 */
export const keysText = (keys: readonly KeyReading[], wholeAddresses = false): string =>
  keys
    .toSorted((a, b) => Number(a.kind === 'hash') - Number(b.kind === 'hash'))
    .map((key) => {
      if (key.kind === 'hash') return `hash ${shortHex(key.hash)}`;
      const { value } = key;
      return wholeAddresses && value.kind === 'account'
        ? (accountName(value.id) ?? value.value)
        : summaryText(value);
    })
    .join(', ');
