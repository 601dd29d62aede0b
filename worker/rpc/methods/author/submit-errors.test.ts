import { describe, expect, it } from 'vitest';
import type { SubmitResult } from '../../../pool/pool.ts';
import { dialects } from '../../dialects/psp6.ts';
import { submitErrorToRpc } from './submit-errors.ts';

type Refusal = Extract<SubmitResult, { ok: false }>;
type Expected = readonly [code: number, message: string, data?: string];

const invalid = (variant: number, custom = 0): Refusal => ({
  ok: false,
  reason: 'invalid',
  error: Uint8Array.of(variant, custom),
});
const unknown = (variant: number, custom = 0): Refusal => ({
  ok: false,
  reason: 'unknown',
  error: Uint8Array.of(variant, custom),
});
const priority = 'The transaction has too low priority to replace another transaction already in the pool.';
const limit = "The transaction couldn't enter the pool because of the limit";
const trapped =
  'Execution failed: Execution aborted due to trap: wasm trap: wasm `unreachable` instruction executed\nwhy "so"';

/** All author errors, and the texts of 1010 and 1011. The second form is psp-6's if it differs. */
const rows: readonly (readonly [refusal: Refusal, sdk: Expected, psp6?: Expected])[] = [
  [
    { ok: false, reason: 'failed', message: 'x', trap: 'unreachable: why "so"' },
    [
      1002,
      `Verification Error: Runtime error: ${trapped}`,
      `RuntimeApi("${trapped.replace('\n', '\\n').replaceAll('"', '\\"')}")`,
    ],
    [1002, `Extrinsic verification error: Runtime error: ${trapped}`],
  ],
  [
    { ok: false, reason: 'failed', message: 'no such API' },
    [1002, 'Verification Error: Runtime error: no such API', 'RuntimeApi("no such API")'],
    [1002, 'Extrinsic verification error: Runtime error: no such API'],
  ],
  ...(
    [
      [0, 'Transaction call is not expected'],
      [1, 'Inability to pay some fees (e.g. account balance too low)'],
      [2, 'Transaction will be valid in the future'],
      [3, 'Transaction is outdated'],
      [4, 'Transaction has a bad signature'],
      [5, 'Transaction has an ancient birth block'],
      [6, 'Transaction would exhaust the block limits'],
      [7, 'Custom error: 9'],
      [8, 'A call was labelled as mandatory, but resulted in an Error.'],
      [9, 'Transaction dispatch is mandatory; transactions must not be validated.'],
      [10, 'Invalid signing address'],
      [11, 'The implicit data was unable to be calculated'],
      [12, 'The transaction extension did not authorize any origin'],
    ] as const
  ).map(([variant, data]) => [invalid(variant, 9), [1010, 'Invalid Transaction', data]] as const),
  [unknown(0), [1011, 'Unknown Transaction Validity', 'CannotLookup']],
  [unknown(1), [1011, 'Unknown Transaction Validity', 'NoUnsignedValidator']],
  [unknown(2, 5), [1011, 'Unknown Transaction Validity', 'Custom(5)']],
  [{ ok: false, reason: 'banned' }, [1012, 'Transaction is temporarily banned']],
  [{ ok: false, reason: 'alreadyImported' }, [1013, 'Transaction Already Imported', 'Any { .. }']],
  [
    { ok: false, reason: 'tooLowPriority', old: 18_446_744_073_709_551_615n, new: 2n },
    [1014, 'Priority is too low: (18446744073709551615 vs 2)', priority],
    [1014, priority],
  ],
  [{ ok: false, reason: 'cycle' }, [1015, 'Cycle Detected']],
  [{ ok: false, reason: 'immediatelyDropped' }, [1016, 'Immediately Dropped', limit], [1016, limit]],
  [
    { ok: false, reason: 'unactionable' },
    [
      1018,
      'Unactionable',
      'The transaction is unactionable since it is not propagable and the local node does not author blocks',
    ],
  ],
  [
    { ok: false, reason: 'noTags' },
    [1019, 'No tags provided', "Transaction does not provide any tags, so the pool can't identify it"],
  ],
  [{ ok: false, reason: 'futureRejected' }, [1021, 'The pool is not accepting future transactions']],
];

const shape = ({ code, message, data }: { code: number; message: string; data?: unknown }) =>
  data === undefined ? [code, message] : [code, message, data];

describe('author errors', () => {
  const cases = rows.map(([refusal, sdk, psp6 = sdk]) => [refusal, sdk, psp6] as const);
  it.each(cases)('%o', (refusal, sdk, psp6) => {
    expect(shape(submitErrorToRpc(refusal, dialects['polkadot-sdk']))).toEqual(sdk);
    expect(shape(submitErrorToRpc(refusal, dialects['psp-6']))).toEqual(psp6);
  });
});
