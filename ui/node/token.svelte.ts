import {
  type AmountReading,
  amountText,
  readAmount,
  readUnit,
  shortAmount,
  type Unit,
} from '../kit/text/amount.ts';
import type { UiNode } from './client/ui-node.ts';
import { usePageContext } from './page-context.ts';

/** The chain's unit from its properties; without it, amounts are shown in the smallest unit. */
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

  /** Whether the chain declares a unit. */
  get isNamed(): boolean {
    return this.#unit !== null;
  }

  /** Parses an amount with its unit, such as `1.5 UNIT`; null if the chain declares no unit. */
  read(text: string): AmountReading | null {
    return this.#unit === null ? null : readAmount(text, this.#unit);
  }

  /** Converts whole units to the smallest unit, assuming 12 decimals if the chain declares no unit. */
  fromUnits(count: bigint): bigint {
    return count * 10n ** BigInt(this.#unit?.decimals ?? 12);
  }

  /** Formatted with every digit. */
  text(value: bigint): string {
    return amountText(value, this.#unit);
  }

  /** Formatted with fewer digits. */
  short(value: bigint): string {
    return shortAmount(value, this.#unit);
  }
}

/** The unit of the node in this component tree, requested once. */
export const useToken = (): Token => {
  const { node, keep } = usePageContext();
  return keep('token', () => new Token(node));
};
