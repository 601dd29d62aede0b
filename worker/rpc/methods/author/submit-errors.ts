import type { SubmitResult } from '../../../pool/pool.ts';
import type { RpcDialect } from '../../dialects/dialect.ts';
import { RpcError } from '../../errors.ts';
import { trapText } from '../../lookups.ts';

/** Texts by variant of InvalidTransaction. Variant 7 carries a number. */
const invalidTexts: readonly string[] = [
  'Transaction call is not expected',
  'Inability to pay some fees (e.g. account balance too low)',
  'Transaction will be valid in the future',
  'Transaction is outdated',
  'Transaction has a bad signature',
  'Transaction has an ancient birth block',
  'Transaction would exhaust the block limits',
  'Custom error',
  'A call was labelled as mandatory, but resulted in an Error.',
  'Transaction dispatch is mandatory; transactions must not be validated.',
  'Invalid signing address',
  'The implicit data was unable to be calculated',
  'The transaction extension did not authorize any origin',
];
const unknownTexts: readonly string[] = ['CannotLookup', 'NoUnsignedValidator'];

const unknownEventTexts: readonly string[] = [
  'Could not lookup information required to validate the transaction',
  'Could not find an unsigned validator for the unsigned transaction',
];

const failureOf = ({ trap, message }: Extract<SubmitResult, { ok: false }>): string =>
  trap === undefined ? (message ?? '') : `Execution failed: ${trapText(trap)}`;

const invalidText = (error: Uint8Array | undefined): string => {
  const variant = error?.[0] ?? -1;
  if (variant === 7) return `Custom error: ${error?.[1] ?? 0}`;
  return invalidTexts[variant] ?? `Invalid transaction (${variant})`;
};

const unknownText = (error: Uint8Array | undefined): string =>
  unknownTexts[error?.[0] ?? -1] ?? `Custom(${error?.[1] ?? 0})`;

/** The same in the wording of the event that reports a refusal in the new groups (sc-rpc-spec-v2). */
export const submitErrorText = (refusal: Extract<SubmitResult, { ok: false }>): string => {
  switch (refusal.reason) {
    case 'invalid':
      return refusal.error?.[0] === 7
        ? `Invalid transaction with custom error: ${refusal.error[1] ?? 0}`
        : `Invalid transaction: ${invalidText(refusal.error)}`;
    case 'unknown':
      return `Unknown transaction validity: ${unknownEventTexts[refusal.error?.[0] ?? -1] ?? 'UnknownTransaction custom error'}`;
    case 'banned':
      return 'Transaction is temporarily banned';
    case 'alreadyImported':
      return 'Transaction is already imported';
    case 'tooLowPriority':
      return `The priority of the transaction is too low (pool ${refusal.old ?? 0n} > current ${refusal.new ?? 0n})`;
    case 'cycle':
      return 'The transaction contains a cyclic dependency';
    case 'immediatelyDropped':
      return 'The transaction could not enter the pool because of the limit';
    case 'unactionable':
      return 'Transaction cannot be propagated and the local node does not author blocks';
    case 'noTags':
      return 'Transaction does not provide any tags, so the pool cannot identify it';
    case 'futureRejected':
      return 'The pool is not accepting future transactions';
    case 'failed':
      return `Verification error: Runtime error: ${failureOf(refusal)}`;
    default:
      return refusal.reason satisfies never;
  }
};

export const lowPriority =
  'The transaction has too low priority to replace another transaction already in the pool.';
export const overLimit = "The transaction couldn't enter the pool because of the limit";
const unactionable =
  'The transaction is unactionable since it is not propagable and the local node does not author blocks';
const noTags = "Transaction does not provide any tags, so the pool can't identify it";

/** Converts a pool's refusal to the dialect's error. */
export const submitErrorToRpc = (
  refusal: Extract<SubmitResult, { ok: false }>,
  dialect: Pick<RpcDialect, 'tooLowPriority' | 'poolIsFull' | 'validationFailed'>,
): RpcError => {
  switch (refusal.reason) {
    case 'invalid':
      return new RpcError(1010, 'Invalid Transaction', invalidText(refusal.error));
    case 'unknown':
      return new RpcError(1011, 'Unknown Transaction Validity', unknownText(refusal.error));
    case 'banned':
      return new RpcError(1012, 'Transaction is temporarily banned');
    case 'alreadyImported':
      return new RpcError(1013, 'Transaction Already Imported', 'Any { .. }');
    case 'tooLowPriority':
      return dialect.tooLowPriority(refusal.old ?? 0n, refusal.new ?? 0n);
    case 'cycle':
      return new RpcError(1015, 'Cycle Detected');
    case 'immediatelyDropped':
      return dialect.poolIsFull();
    case 'unactionable':
      return new RpcError(1018, 'Unactionable', unactionable);
    case 'noTags':
      return new RpcError(1019, 'No tags provided', noTags);
    case 'futureRejected':
      return new RpcError(1021, 'The pool is not accepting future transactions');
    case 'failed':
      return dialect.validationFailed(failureOf(refusal));
    default:
      return refusal.reason satisfies never;
  }
};
