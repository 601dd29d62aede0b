import { Trap } from './trap.ts';

/** Charges fuel for host work, to the counter that the runtime's code also decrements (decision 16). */
export type FuelMeter = {
  /** Rounds down to whole units. Throws a `Trap` of kind `fuel` if none are left. */
  charge(units: number): void;
  /** Sets the counter, which is only created after the functions that use it. */
  attach(counter: { value: bigint }): void;
  /** Starts a new call: discards unsettled charges. */
  reset(): void;
};

/**
 * Passing a BigInt to Wasm costs as much as a short host call, so the counter is only updated after this many
 * units.
 */
const settledAt = 65_536;

export const createFuelMeter = (): FuelMeter => {
  let counter: { value: bigint } = { value: 0n };
  let pending = 0;
  const settle = (units: number): void => {
    counter.value -= BigInt(Math.floor(units));
    pending = 0;
    if (counter.value < 0n) throw new Trap('The call ran out of fuel', 'fuel');
  };
  return {
    charge: (units) => {
      const sum = pending + units;
      if (sum >= settledAt) settle(sum);
      // Kept an integer: a fraction would allocate a heap object with every charge (a tenth of an import's
      // time).
      else pending = sum | 0;
    },
    attach: (given) => {
      counter = given;
    },
    reset: () => {
      pending = 0;
    },
  };
};
