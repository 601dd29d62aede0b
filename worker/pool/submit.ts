import type { ExtrinsicHash } from '../codec/identity.ts';
import type { Bans } from './bans.ts';
import type { Entry, SubmitResult } from './entry.ts';
import type { TransactionGraph } from './graph.ts';
import type { TransactionSource } from './transaction.ts';

type SubmitParts = {
  readonly graph: TransactionGraph;
  readonly entry: Entry;
  readonly bans: Bans;
  readonly hashOf: (extrinsic: Uint8Array) => ExtrinsicHash;
  readonly isClosed: () => boolean;
};

const full = { ok: false, reason: 'immediatelyDropped' } as const;

const createAttempt = ({ graph, entry, bans, hashOf, isClosed }: SubmitParts) => {
  /** What needs no validation. */
  const refuseKnown = (hash: ExtrinsicHash, bytes: number): SubmitResult | null => {
    if (isClosed()) return { ok: false, reason: 'failed', message: 'The pool is closed' };
    if (bans.isBanned(hash)) return entry.fits(bytes) ? { ok: false, reason: 'banned' } : full;
    return graph.get(hash) === undefined ? null : { ok: false, reason: 'alreadyImported' };
  };
  /** Adds the transaction after `before`, if others of its client are still validated. */
  return async (
    given: Uint8Array,
    source: TransactionSource,
    before: Promise<unknown> | undefined,
  ): Promise<SubmitResult> => {
    const hash = hashOf(given);
    const extrinsic = given.slice();
    if (refuseKnown(hash, given.length) !== null) {
      // Those before it may remove what it is refused for.
      await before;
      const known = refuseKnown(hash, given.length);
      if (known !== null) return known;
    }
    const { result, atNumber } = await entry.check(extrinsic, source);
    await before;
    const meanwhile = refuseKnown(hash, given.length);
    if (meanwhile !== null) return meanwhile;
    // While it is full, the pool reports exactly that for transactions it would not keep, and bans nothing
    // (sc-transaction-pool, `attempt_transaction_replacement`).
    if (result.kind !== 'valid' && !entry.fits(extrinsic.length)) return full;
    switch (result.kind) {
      case 'valid':
        return entry.enter(entry.build({ hash, extrinsic, source }, result, atNumber));
      case 'unknown':
        return { ok: false, reason: 'unknown', error: result.error };
      case 'invalid':
        bans.ban(hash);
        return { ok: false, reason: 'invalid', error: result.error };
      case 'failed':
        bans.ban(hash);
        return {
          ok: false,
          reason: 'failed',
          message: result.message,
          ...(result.trap === undefined ? {} : { trap: result.trap }),
        };
      default:
        return result satisfies never;
    }
  };
};

/** Validates transactions, and adds them to the graph; those of one client in the order of the calls. */
export const createSubmit = (parts: SubmitParts) => {
  const attempt = createAttempt(parts);
  const last = new WeakMap<object, Promise<unknown>>();
  return (extrinsic: Uint8Array, source: TransactionSource, client?: object): Promise<SubmitResult> => {
    if (client === undefined) return attempt(extrinsic, source, undefined);
    const before = last.get(client);
    const submitted = attempt(extrinsic, source, before);
    // One that cannot be validated ends before those that were submitted before it.
    last.set(
      client,
      submitted.catch(() => undefined).then(() => before),
    );
    return submitted;
  };
};
