import {
  type Cursor,
  createCursor,
  takeByte,
  takeBytes,
  takeCompact,
  takeLength,
  takeUnsigned,
} from './cursor.ts';
import { fromHex, toHex } from './hex.ts';

/** sp_runtime::transaction_validity::InvalidTransaction, in variant order, with its display texts. */
const invalid = `
Call: Transaction call is not expected
Payment: Inability to pay some fees (e.g. account balance too low)
Future: Transaction will be valid in the future
Stale: Transaction is outdated
BadProof: Transaction has a bad signature
AncientBirthBlock: Transaction has an ancient birth block
ExhaustsResources: Transaction would exhaust the block limits
Custom: InvalidTransaction custom error
BadMandatory: A call was labelled as mandatory, but resulted in an Error.
MandatoryValidation: Transaction dispatch is mandatory; transactions must not be validated.
BadSigner: Invalid signing address
IndeterminateImplicit: The implicit data was unable to be calculated
UnknownOrigin: The transaction extension did not authorize any origin`;

/** sp_runtime::transaction_validity::UnknownTransaction. */
const unknown = `
CannotLookup: Could not lookup information required to validate the transaction
NoUnsignedValidator: Could not find an unsigned validator for the unsigned transaction
Custom: UnknownTransaction custom error`;

/** Text of a TransactionValidityError read at the cursor: `Stale: Transaction is outdated`. */
export const takeValidityError = (cursor: Cursor): string => {
  const lines = (takeByte(cursor) === 0 ? invalid : unknown).split('\n');
  const index = takeByte(cursor);
  const line = lines[index + 1] ?? `error ${index}: unknown variant`;
  return line.startsWith('Custom') ? line.replace(':', `(${takeByte(cursor)}):`) : line;
};

/** The runtime's validation of a pending transaction. */
export type Validity =
  | {
      readonly kind: 'valid';
      readonly priority: bigint;
      /** Tags as 0x strings. */
      readonly requires: readonly string[];
      readonly provides: readonly string[];
      /** In blocks; the maximum u64 means unlimited. */
      readonly longevity: bigint;
      readonly propagate: boolean;
    }
  | { readonly kind: 'invalid'; readonly text: string };

const takeTags = (cursor: Cursor): readonly string[] =>
  Array.from({ length: takeLength(cursor, 1) }, () => toHex(takeBytes(cursor, takeLength(cursor, 1))));

/** Decodes the result of TaggedTransactionQueue_validate_transaction; throws DecodeFault. */
export const decodeValidity = (hex: string): Validity => {
  const cursor = createCursor(fromHex(hex));
  if (takeByte(cursor) !== 0) return { kind: 'invalid', text: takeValidityError(cursor) };
  return {
    kind: 'valid',
    priority: takeUnsigned(cursor, 8),
    requires: takeTags(cursor),
    provides: takeTags(cursor),
    longevity: takeUnsigned(cursor, 8),
    propagate: takeByte(cursor) === 1,
  };
};

/** Result of TransactionPaymentApi_query_info: RuntimeDispatchInfo. */
export type DispatchInfo = {
  /** Picoseconds on the reference hardware. */
  readonly refTime: bigint;
  /** Bytes. */
  readonly proofSize: bigint;
  readonly class: string;
  /** Without the tip, in the chain's smallest unit. */
  readonly fee: bigint;
};

const classes = ['normal', 'operational', 'mandatory'];

/** Decodes a RuntimeDispatchInfo; throws DecodeFault. */
export const decodeDispatchInfo = (hex: string): DispatchInfo => {
  const cursor = createCursor(fromHex(hex));
  return {
    refTime: takeCompact(cursor),
    proofSize: takeCompact(cursor),
    class: classes[takeByte(cursor)] ?? 'unknown',
    fee: takeUnsigned(cursor, 16),
  };
};
