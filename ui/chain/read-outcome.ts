import type { BlockEvent } from '../meta/events.ts';
import type { DecodedExtrinsic } from '../meta/extrinsic.ts';
import { eventName, fieldOf } from '../meta/names.ts';
import type { Decoded } from '../meta/types.ts';

/** What an extrinsic says of itself, and what its events say of it; null where neither tells. */
export type ExtrinsicFacts = {
  readonly nonce: string | null;
  readonly tip: bigint | null;
  readonly era: string | null;
  readonly fee: bigint | null;
  /** In picoseconds, with what was left unused given back. */
  readonly refTime: bigint | null;
};

const big = (value: Decoded | null | undefined): bigint | null =>
  value?.kind === 'number' ? BigInt(value.value) : null;

/** Fee, nonce, tip and validity of an extrinsic with its own events. */
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
    fee: big(fieldOf(inner('TransactionPayment.TransactionFeePaid'), 'actual_fee')),
    refTime: big(fieldOf(weight, 'ref_time') ?? weight),
  };
};

/** Through wrappers of one field. */
const leafOf = (value: Decoded | null): Decoded | null => {
  if (value?.kind === 'struct' && value.fields.length === 1) return leafOf(value.fields[0]?.value ?? null);
  if (value?.kind === 'list' && value.isTuple && value.items.length === 1)
    return leafOf(value.items[0] ?? null);
  return value;
};

/** `Mortal<first byte>(second byte)` as a period (sp_runtime::generic::Era). */
const eraText = (era: Extract<Decoded, { kind: 'variant' }>): string => {
  const low = /^Mortal(\d+)$/.exec(era.name)?.[1];
  if (low === undefined) return era.name.toLowerCase();
  const high = leafOf(era.value);
  const word = Number(low) | ((high?.kind === 'number' ? Number(high.value) : 0) << 8);
  const period = 2 << (word & 15);
  const phase = (word >> 4) * Math.max(1, period >> 12);
  return `mortal for ${period} blocks, phase ${phase}`;
};
