import type { BlockEvent } from '../../meta/events.ts';
import type { DecodedExtrinsic } from '../../meta/extrinsic.ts';
import { eventName, fieldOf } from '../../meta/names.ts';
import type { Decoded } from '../../meta/types.ts';
import { feeOf } from '../../state/load-outcome.ts';

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

/** Unwraps structs and tuples with a single field. */
const leafOf = (value: Decoded | null): Decoded | null => {
  if (value?.kind === 'struct' && value.fields.length === 1) return leafOf(value.fields[0]?.value ?? null);
  if (value?.kind === 'list' && value.isTuple && value.items.length === 1)
    return leafOf(value.items[0] ?? null);
  return value;
};

/** `Mortal<first byte>(second byte)` (sp_runtime::generic::Era) as period and phase. */
const eraText = (era: Extract<Decoded, { kind: 'variant' }>): string => {
  const low = /^Mortal(\d+)$/.exec(era.name)?.[1];
  if (low === undefined) return era.name.toLowerCase();
  const high = leafOf(era.value);
  const word = Number(low) | ((high?.kind === 'number' ? Number(high.value) : 0) << 8);
  const period = 2 << (word & 15);
  const phase = (word >> 4) * Math.max(1, period >> 12);
  return `mortal for ${period} blocks, phase ${phase}`;
};
