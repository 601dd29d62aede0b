import { groupDigits } from '../state/format.ts';
import type { UiNode } from '../state/ui-node.ts';

/** How the chain writes amounts: `system_properties`. */
export type Unit = { readonly decimals: number; readonly symbol: string };

export const plainUnit: Unit = { decimals: 0, symbol: '' };

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** The unit of the chain's first token; plain numbers where it names none. */
export const loadUnit = async (node: Pick<UiNode, 'request'>): Promise<Unit> => {
  const answer = (await node.request('system_properties', [])) as Record<string, unknown> | null;
  const decimals = Number(first(answer?.['tokenDecimals']) ?? 0);
  const symbol = String(first(answer?.['tokenSymbol']) ?? '');
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 36 ? { decimals, symbol } : plainUnit;
};

/** An amount in the chain's unit with every digit that is not a trailing zero: `1,234.5 UNIT`. */
export const amountText = (value: bigint, { decimals, symbol }: Unit): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  const number = `${value < 0n ? '−' : ''}${groupDigits(BigInt(whole))}${rest === '' ? '' : `.${rest}`}`;
  return symbol === '' ? number : `${number} ${symbol}`;
};

/** The same, cut to six digits after the point: for glances, with the whole text on hover. */
export const shortAmount = (value: bigint, unit: Unit): string => {
  const cut = unit.decimals <= 6 ? value : value - (value % 10n ** BigInt(unit.decimals - 6));
  return cut === 0n && value !== 0n ? amountText(value, unit) : amountText(cut, unit);
};
