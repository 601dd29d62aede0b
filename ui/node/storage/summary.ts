import { dispatchErrorText, isDispatchError } from '../../../src/scale/dispatch-error.ts';
import { callName, fieldOf } from '../../../src/scale/names.ts';
import type { KeyReading } from '../../../src/scale/storage.ts';
import type { Decoded } from '../../../src/scale/types.ts';
import {
  countText,
  durationText,
  flagsText,
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

/** A decoded value in one line, truncated if too long. */
export const summaryText = (value: Decoded, amount: WriteAmount = groupDigits): string =>
  summary(value, 0, amount);

const summary = (value: Decoded, depth: number, amount: WriteAmount, isAmount = false): string => {
  const text = write(value, depth, amount, isAmount);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

/** A digest item with the name of its engine, which it holds as four characters: `PreRuntime BABE 0x02…`. */
const digestItemText = (name: string, value: Decoded | null): string => {
  const [engine, payload] = value?.kind === 'list' ? value.items : [null, value];
  const known = engine?.kind === 'bytes' ? [new TextDecoder().decode(engine.value)] : [];
  const bytes = payload?.kind === 'bytes' ? [shortBytes(payload.value, 10, 6)] : [];
  return [name, ...known, ...bytes].join(' ');
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

/** A weight by its time and its proof, as `1.4 ms, 120.0 kB proof`; null for one of other fields. */
const weightText = (value: Decoded): string | null => {
  const [time, proof] = ['ref_time', 'proof_size'].map((of) => fieldOf(value, of));
  return time?.kind === 'number' && proof?.kind === 'number'
    ? `${durationText(Number(time.value) / 1e9)}, ${sizeText(Number(proof.value))} proof`
    : null;
};

const write = (value: Decoded, depth: number, amount: WriteAmount, isAmount: boolean): string => {
  switch (value.kind) {
    case 'number':
      return isAmount ? amount(BigInt(value.value)) : groupDigits(value.value);
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
      return write(value.value, depth, amount, isAmount);
    case 'variant':
      if (isDispatchError(value)) return dispatchErrorText(null, value);
      if (value.type === 'DigestItem') return digestItemText(value.name, value.value);
      return variantText(value.name, value.value, innerCall(value), depth, amount);
    case 'struct':
      if (value.type === 'Weight') return weightText(value) ?? '{…}';
      if (depth > 2) return '{…}';
      if (value.fields.length === 1) {
        const batch = batchText(value.fields[0]?.value, amount);
        if (batch !== null) return batch;
      }
      return `{ ${value.fields
        .slice(0, 8)
        .map(({ label, value: of, isAmount: is, isMoment }) =>
          isMoment && of.kind === 'number'
            ? `${label}: ${momentText(Number(of.value))}`
            : label === 'flags' && of.kind === 'number'
              ? `${label}: ${flagsText(of.value)}`
              : `${label}: ${summary(of, depth + 1, amount, is)}`,
        )
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
