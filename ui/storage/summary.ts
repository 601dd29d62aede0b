import { dispatchErrorText, isDispatchError } from '../meta/dispatch-error.ts';
import { toHex } from '../meta/hex.ts';
import type { Decoded } from '../meta/types.ts';
import { accountName } from '../state/extrinsic.ts';
import { groupDigits, shortHex } from '../state/format.ts';

const longest = 160;

/** A decoded value in one line, cut where it grows too long. */
export const summaryText = (value: Decoded, depth = 0): string => {
  const text = write(value, depth);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

const write = (value: Decoded, depth: number): string => {
  switch (value.kind) {
    case 'number':
      return groupDigits(value.value);
    case 'bool':
      return String(value.value);
    case 'text':
      return `"${value.value}"`;
    case 'bits':
      return `0b${value.value}`;
    case 'bytes':
      return shortHex(toHex(value.value.subarray(0, 64)), 10, 6);
    case 'account':
      return accountName(value.id) ?? shortHex(value.value, 6, 6);
    case 'void':
      return '()';
    case 'none':
      return 'None';
    case 'some':
      return write(value.value, depth);
    case 'variant':
      if (isDispatchError(value)) return dispatchErrorText(null, value);
      return value.value === null ? value.name : `${value.name} ${summaryText(value.value, depth + 1)}`;
    case 'struct':
      if (depth > 2) return '{…}';
      return `{ ${value.fields
        .slice(0, 8)
        .map((field) => `${field.label}: ${summaryText(field.value, depth + 1)}`)
        .join(', ')}${value.fields.length > 8 ? ', …' : ''} }`;
    case 'list': {
      if (depth > 2) return `[${value.items.length}]`;
      const shown = value.items.slice(0, 6).map((item) => summaryText(item, depth + 1));
      return `[${shown.join(', ')}${value.items.length > 6 ? `, … ${groupDigits(value.items.length)}` : ''}]`;
    }
  }
};
