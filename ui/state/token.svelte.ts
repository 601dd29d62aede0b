import { type AmountReading, amountText, readAmount, readUnit, shortAmount, type Unit } from './amount.ts';
import { useBench } from './bench.ts';
import type { UiNode } from './ui-node.ts';

/** The chain's unit, from its properties; without them amounts are in the smallest unit. */
class Token {
  #unit = $state.raw<Unit | null>(null);

  constructor(node: UiNode) {
    node.request('system_properties', []).then(
      (answer) => {
        this.#unit = readUnit(answer);
      },
      () => undefined,
    );
  }

  /** Whether the chain names its unit. */
  get isNamed(): boolean {
    return this.#unit !== null;
  }

  /** What a text with the unit says, as `1.5 UNIT`; null where the chain names no unit. */
  read(text: string): AmountReading | null {
    return this.#unit === null ? null : readAmount(text, this.#unit);
  }

  /** As many whole units, in the smallest one; of 12 decimals where the chain names no unit. */
  whole(count: bigint): bigint {
    return count * 10n ** BigInt(this.#unit?.decimals ?? 12);
  }

  /** With every digit. */
  text(value: bigint): string {
    return amountText(value, this.#unit);
  }

  /** For glances. */
  short(value: bigint): string {
    return shortAmount(value, this.#unit);
  }
}

/** The unit of the node that the component tree looks at, asked for once. */
export const useToken = (): Token => {
  const { node, keep } = useBench();
  return keep('token', () => new Token(node));
};
