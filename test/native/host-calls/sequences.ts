import fc from 'fast-check';
import type { Crypto } from '../../../worker/crypto/crypto.ts';
import type { Menu, Step } from './arbitraries.ts';
import { cryptoSteps, keystoreSteps } from './crypto-steps.ts';
import { edgeCalls, wrongSteps } from './edges.ts';
import { otherSteps } from './other-steps.ts';
import type { Call } from './script.ts';
import { storageSteps } from './storage-steps.ts';

/** A list of calls to compare, on a chain with tries of this version. */
export type Sequence = {
  readonly stateVersion: 0 | 1;
  readonly withKeystore: boolean;
  readonly calls: readonly Call[];
};

const drawFrom = (menu: Menu): fc.Arbitrary<Step> =>
  fc.oneof(...menu.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** Leaves out what would close a transaction that is not open. */
const balanced = (calls: readonly Call[]): Call[] => {
  let depth = 0;
  return calls.filter(({ name }) => {
    if (name === 'ext_storage_start_transaction_version_1') depth++;
    if (!/^ext_storage_(rollback|commit)_transaction/.test(name)) return true;
    if (depth === 0) return false;
    depth--;
    return true;
  });
};

/** The root at the end shows every change of the state. */
const root: Call = { name: 'ext_storage_root_version_2', args: [] };

/**
 * Random sequences of so many steps. Most are of state functions; one in three ends with a call that may trap,
 * since nothing is known of the calls behind a trap.
 */
export const sequences = (
  crypto: Crypto,
  { length, keystores }: { readonly length: number; readonly keystores: boolean },
): fc.Arbitrary<Sequence> => {
  const state = drawFrom(storageSteps);
  const pure = drawFrom(otherSteps);
  const signed = drawFrom(cryptoSteps(crypto));
  const any = fc.oneof(
    { weight: 12, arbitrary: state },
    { weight: 5, arbitrary: pure },
    { weight: 1, arbitrary: signed },
  );
  const steps = (one: fc.Arbitrary<Step>): fc.Arbitrary<readonly Call[]> =>
    fc.array(one, { maxLength: length, size: 'max' }).map((drawn) => drawn.flat());
  const end = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Step>([root]) },
    { weight: 3, arbitrary: edgeCalls.map((call): Step => [call]) },
    { weight: 1, arbitrary: wrongSteps },
  );
  const plain = fc
    .tuple(
      fc.nat({ max: 1 }),
      fc.oneof({ weight: 3, arbitrary: steps(state) }, { weight: 4, arbitrary: steps(any) }),
      end,
    )
    .map(
      ([version, calls, last]): Sequence => ({
        stateVersion: version === 0 ? 0 : 1,
        withKeystore: false,
        calls: [...balanced(calls), ...last],
      }),
    );
  const withKeys = fc
    .array(drawFrom(keystoreSteps), { maxLength: 12 })
    .map((drawn): Sequence => ({ stateVersion: 0, withKeystore: true, calls: drawn.flat() }));
  return fc.oneof({ weight: 24, arbitrary: plain }, { weight: keystores ? 1 : 0, arbitrary: withKeys });
};
