import type { UiNode } from './ui-node.ts';

/** A balance with its unit; whole and exact. */
export const balanceText = (
  value: bigint,
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
): string => {
  const digits = value.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const number = rest === '' ? whole : `${whole}.${rest}`;
  return symbol === '' ? number : `${number} ${symbol}`;
};

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** The chain's unit, from its properties; without them balances are in the smallest unit. */
export class Token {
  #unit = $state.raw({ decimals: 0, symbol: '' });

  constructor(node: UiNode) {
    void node.request('system_properties', []).then(
      (answer) => {
        const { tokenDecimals, tokenSymbol } = (answer ?? {}) as Record<string, unknown>;
        const decimals = Number(firstOf(tokenDecimals) ?? 0);
        const symbol = firstOf(tokenSymbol);
        this.#unit = {
          decimals: Number.isInteger(decimals) && decimals >= 0 && decimals <= 40 ? decimals : 0,
          symbol: typeof symbol === 'string' ? symbol : '',
        };
      },
      () => undefined,
    );
  }

  text(value: bigint): string {
    return balanceText(value, this.#unit);
  }
}
