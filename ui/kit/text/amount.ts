import { writeOut } from '../../../src/scale/encode.ts';
import { groupDigits } from './format.ts';

/** The chain's token: decimals and symbol, from `system_properties`. */
export type Unit = { readonly decimals: number; readonly symbol: string };

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** The unit of the chain's first token; null if the properties lack its symbol or decimals. */
export const readUnit = (properties: unknown): Unit | null => {
  const { tokenDecimals, tokenSymbol } = (properties ?? {}) as Record<string, unknown>;
  const decimals = first(tokenDecimals);
  const symbol = first(tokenSymbol);
  const isWhole = typeof decimals === 'number' && Number.isInteger(decimals);
  return isWhole && decimals >= 0 && decimals <= 36 && typeof symbol === 'string' && symbol !== ''
    ? { decimals, symbol }
    : null;
};

/** An amount with all digits except trailing zeros: `1 234.5 UNIT`; without a unit, a plain integer. */
export const amountText = (value: bigint, unit: Unit | null): string => {
  const { decimals, symbol } = unit ?? { decimals: 0, symbol: '' };
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const integer = digits.slice(0, digits.length - decimals);
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  const number = `${value < 0n ? '−' : ''}${groupDigits(BigInt(integer))}${rest === '' ? '' : `.${rest}`}`;
  return symbol === '' ? number : `${number} ${symbol}`;
};

/** Prefixes, a factor of a thousand each. Shown are those below a millionth. */
const prefixes = 'mµnpfazyrq';

/**
 * Like `amountText`, truncated to six decimals, or to four significant digits if smaller; below a millionth of the
 * unit with a prefix: `123.4 nUNIT`. The full text is shown on hover.
 */
export const shortAmount = (value: bigint, unit: Unit | null): string => {
  const digits = (value < 0n ? -value : value).toString().length;
  const { decimals, symbol } = unit ?? { decimals: 0, symbol: '' };
  const spare = Math.min(decimals - 6, digits - 4);
  const rounded = spare <= 0 ? value : value - (value % 10n ** BigInt(spare));
  /** The decimal place of the first digit, in whole groups of three. */
  const places = 3 * Math.ceil((decimals - digits + 1) / 3);
  const prefix = value === 0n ? undefined : places > 6 ? prefixes[places / 3 - 1] : undefined;
  if (prefix === undefined) return amountText(rounded, unit);
  const missing = Math.max(0, places - decimals);
  return amountText(rounded * 10n ** BigInt(missing), {
    decimals: decimals - places + missing,
    symbol: `${prefix}${symbol}`,
  });
};

/** A parsed amount in the smallest unit, or why the text is not an amount. */
export type AmountReading =
  | { readonly amount: bigint; readonly fault: null }
  | { readonly amount: null; readonly fault: string };

/** Digits around a decimal point; groups of three may be separated by a comma, a space or an underscore. */
const decimal = /^(\d+|\d{1,3}(?:[,_\s]\d{3})+)?(?:\.(\d*))?\s*([mµμunpfazyrq]?)$/;

/** Parses an amount with its unit, such as `1.5 UNIT` or `2 nUNIT`, ignoring the symbol's case. */
export const readAmount = (text: string, { decimals, symbol }: Unit): AmountReading => {
  const trimmed = text.trim();
  const isNamed = trimmed.toLowerCase().endsWith(symbol.toLowerCase());
  const number = isNamed ? trimmed.slice(0, -symbol.length).trim() : trimmed;
  const [, integer = '', after = '', prefix = ''] = decimal.exec(writeOut(number)) ?? [];
  const fraction = after.replace(/0+$/, '');
  const none = (fault: string): AmountReading => ({ amount: null, fault });
  if (!isNamed || (integer === '' && after === ''))
    return none(`Enter a whole number, or an amount with its unit such as 1.5 ${symbol}`);
  const places =
    fraction.length + (prefix === '' ? 0 : 3 * (prefixes.indexOf(prefix.replace(/[uμ]/, 'µ')) + 1));
  const digits = BigInt(integer.replace(/\D/g, '') + fraction);
  const least = 10n ** BigInt(Math.max(0, places - decimals));
  if (digits % least !== 0n) return none(`${symbol} has ${decimals} decimals, not ${places}`);
  return { amount: (digits / least) * 10n ** BigInt(Math.max(0, decimals - places)), fault: null };
};
