import type { BlockEvent } from '../../../../src/scale/events.ts';
import type { DecodedExtrinsic } from '../../../../src/scale/extrinsic.ts';
import { eventName, fieldOf, leafOf, readEra } from '../../../../src/scale/names.ts';
import type { Decoded } from '../../../../src/scale/types.ts';
import { feeOf } from '../../../node/load-outcome.ts';

/** Facts from an extrinsic and its events; null where neither has the fact. */
export type ExtrinsicFacts = {
  readonly nonce: string | null;
  readonly tip: bigint | null;
  readonly era: string | null;
  readonly fee: bigint | null;
  /** In picoseconds, after the refund of unused weight. */
  readonly refTime: bigint | null;
};

const big = (value: Decoded | null | undefined): bigint | null =>
  value?.kind === 'number' ? BigInt(value.value) : null;

/** Reads nonce, tip, validity, fee and weight from an extrinsic and the events it emitted. */
export const readFacts = (extrinsic: DecodedExtrinsic, events: readonly BlockEvent[]): ExtrinsicFacts => {
  const extension = (...names: readonly string[]): Decoded | null =>
    extrinsic.extensions.find(({ name }) => names.includes(name))?.value ?? null;
  const inner = (name: string): Decoded | null => {
    const found = events.find(({ event }) => eventName(event) === name)?.event;
    return found?.kind === 'variant' ? found.value : null;
  };
  const nonce = big(leafOf(extension('CheckNonce')));
  const payment = extension('ChargeTransactionPayment', 'ChargeAssetTxPayment');
  const era = leafOf(extension('CheckMortality', 'CheckEra'));
  const done = inner('System.ExtrinsicSuccess') ?? inner('System.ExtrinsicFailed');
  const weight = fieldOf(fieldOf(done, 'dispatch_info'), 'weight');
  return {
    nonce: nonce === null ? null : nonce.toString(),
    tip: big(fieldOf(payment, 'tip') ?? leafOf(payment)),
    era: era?.kind === 'variant' ? eraText(era) : null,
    fee: feeOf(events),
    refTime: big(fieldOf(weight, 'ref_time') ?? weight),
  };
};

const eraText = (value: Extract<Decoded, { kind: 'variant' }>): string => {
  const era = readEra(value);
  return era === null ? value.name.toLowerCase() : `mortal for ${era.period} blocks, phase ${era.phase}`;
};
