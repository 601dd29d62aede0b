import { toAddress } from '../../../../src/scale/address.ts';
import {
  carriesCalls,
  type DryRun,
  dryRunEvents,
  dryRunOutcome,
  isOutOfRoom,
} from '../../../../src/scale/dry-run.ts';
import type { DispatchOutcome } from '../../../../src/scale/events.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import type { RuntimeMeta } from '../../../../src/scale/types.ts';
import {
  type DispatchInfo,
  decodeDispatchInfo,
  decodeValidity,
  type Validity,
} from '../../../../src/scale/validity.ts';
import { groupDigits, hexSize } from '../../../kit/text/format.ts';
import { query } from '../../../node/client/query.svelte.ts';
import type { Answer, UiNode } from '../../../node/client/ui-node.ts';
import { feeOf } from '../../../node/load-outcome.ts';
import type { Signer } from '../../../node/tx/signers.svelte.ts';
import {
  type ChainFacts,
  hashedMeta,
  loadFacts,
  type SendOptions,
  signCall,
  validityParams,
} from '../../../node/tx/signing.ts';

/** The transaction to check. */
export type Question = {
  readonly meta: RuntimeMeta;
  readonly call: Uint8Array;
  readonly signer: Signer;
  readonly options: SendOptions;
};

/** What is known before a transaction is sent; a part is null if the node cannot provide it. */
export type Answers = {
  readonly facts: ChainFacts;
  readonly info: DispatchInfo | null;
  readonly validity: Validity | null;
  readonly outcome: DispatchOutcome | null;
  /** Why validity and outcome are unknown until it is sent; null if they are known. */
  readonly open: string | null;
  /** When the outcome will be known, if a dry run cannot determine it now; otherwise null. */
  readonly later: string | null;
};

type ForecastNode = Pick<UiNode, 'request' | 'info' | 'base' | 'status' | 'offers'>;
type Asked = { readonly signal: AbortSignal };

const waitMs = 250;

/**
 * When the outcome will be known, if a dry run on the best block's state cannot determine it: the transaction
 * waits for an earlier nonce; the best block is genesis, whose state does not contain its own hash, which
 * every signature covers; or the block is full.
 */
const whenKnown = (
  { best, birth, genesisHash }: ChainFacts,
  validity: Validity | null,
  run: DryRun | null,
): string | null => {
  if (validity?.kind === 'valid' && validity.requires.length > 0)
    return 'known once the earlier nonce is in a block';
  if (best === genesisHash) return 'known from block #1 on, because genesis cannot check signatures';
  // The runtime has validated that the transaction itself fits into a block.
  if (validity?.kind === 'valid' && run !== null && isOutOfRoom(run))
    return `block #${groupDigits(birth.number + 1)} is full. Some runtimes accept no transactions in the first block of an epoch. It will go into the next block with room.`;
  return null;
};

const u32Hex = (value: number): string => toHex(new Uint8Array(Uint32Array.of(value).buffer)).slice(2);

/** The raw result of dev_dryRun; throws TypeError for any other form. */
const readChanges = (answer: unknown): DryRun['changes'] => {
  if (!Array.isArray(answer)) throw new TypeError('dev_dryRun returned an unexpected result.');
  return answer as DryRun['changes'];
};

const whyOpen = async (node: ForecastNode, signer: Signer): Promise<string | null> => {
  if (signer.kind === 'key') return null;
  if (signer.kind === 'locked') return 'Validity and outcome are known once the account is unlocked.';
  if (signer.kind === 'wallet') return 'Validity and outcome are known once the wallet has signed.';
  if (!node.offers('dev_impersonate')) return 'Only the account’s owner can sign.';
  const { impersonated, mockSignatures } = await node.status();
  return mockSignatures || impersonated.includes(signer.id)
    ? null
    : 'Validity and outcome are known once the account is impersonated.';
};

/**
 * Requests fee, validity and a dry run of a transaction. Rejects if it cannot be signed or the chain cannot
 * be read.
 */
export const previewTransaction = async (
  node: ForecastNode,
  { meta, call, signer, options }: Question,
  asked: Asked,
): Promise<Answers> => {
  /** A node that lacks one of the methods can still answer the others. */
  const ask = async <T>(
    method: string,
    params: readonly unknown[],
    read: (answer: unknown) => T,
  ): Promise<T | null> => {
    try {
      return read(await node.request(method, params, asked));
    } catch (fault) {
      if (asked.signal.aborted) throw fault;
      return null;
    }
  };
  const facts = await loadFacts(node, toAddress(signer.id, meta.ss58Prefix), options.nonce, {
    ...asked,
    hashOf: hashedMeta(meta, options),
  });
  const open = await whyOpen(node, signer);
  const extrinsic = await signCall(meta, call, signer, facts, options, { isMock: open !== null });
  const { best } = facts;
  const input = `${extrinsic}${u32Hex(hexSize(extrinsic))}`;
  const whenOpen = <T>(answer: () => Promise<T | null>) => (open === null ? answer() : null);
  const [info, validity, outcome, changes, pool] = await Promise.all([
    ask('state_call', ['TransactionPaymentApi_query_info', input, best], (hex) =>
      decodeDispatchInfo(String(hex)),
    ),
    whenOpen(() => ask('state_call', validityParams(extrinsic, best), (hex) => decodeValidity(String(hex)))),
    whenOpen(() => ask('system_dryRun', [extrinsic, best], String)),
    // The outcome of nested calls is reported in events, which are part of the storage changes.
    whenOpen(async () =>
      carriesCalls(meta, call) ? ask('dev_dryRun', [{ raw: true, extrinsic, at: best }], readChanges) : null,
    ),
    // The next nonce is that of no transaction in the pool.
    options.nonce === null ? null : ask('dev_pool', [], (answer) => answer as Answer<'dev_pool'>),
  ]);
  const run = outcome === null ? null : { outcome, changes };
  const later = whenKnown(facts, validity, run);
  // What the calls did can change the fee: sudo returns it.
  const foretold = later !== null || run === null ? null : dryRunOutcome(meta, call, run);
  const isCovered = foretold?.kind === 'ok' || foretold?.kind === 'failed';
  const paid = run === null || !isCovered ? null : feeOf(dryRunEvents(meta, run));
  return {
    facts,
    info: info === null || paid === null ? info : { ...info, fee: paid - options.tip },
    validity: validity === null || pool === null ? validity : inPool(validity, pool),
    outcome: foretold,
    open,
    later,
  };
};

/**
 * Validity as the pool sees it: it refuses a transaction for which it has another one with the same tags (the nonce of
 * the account), unless the new one has a higher priority (sc-transaction-pool, `ReadyTransactions::replace_previous`).
 */
const inPool = (validity: Validity, pool: Answer<'dev_pool'>): Validity => {
  if (validity.kind !== 'valid') return validity;
  const rivals = pool.ready.filter(({ provides }) => provides.some((tag) => validity.provides.includes(tag)));
  const priority = rivals.reduce((sum, rival) => sum + BigInt(rival.priority), 0n);
  return rivals.length === 0 || validity.priority > priority
    ? validity
    : {
        kind: 'invalid',
        text: 'The pool has a transaction with this nonce. Raise the tip, or use the next nonce.',
      };
};

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });

/**
 * Updates the forecast after a pause in typing, and with each new best block, which may change nonce, balance
 * and weight.
 */
export const createForecast = (
  node: ForecastNode,
  written: () => Question | null,
  best: () => string | null = () => null,
) => {
  const asked = query(
    () => {
      const question = written();
      return question === null ? undefined : ([question, best()] as const);
    },
    async ([question], signal) => {
      await pause(signal);
      return { question, answers: await previewTransaction(node, question, { signal }) };
    },
  );
  return {
    /** Null until the answers for the current question have arrived; answers for an earlier one do not apply. */
    get answers(): Answers | null {
      const { latest } = asked;
      return latest?.question === written() ? latest.answers : null;
    },
    asked,
  };
};

/** The forecast for a transaction that is being edited. */
export type Forecast = ReturnType<typeof createForecast>;
