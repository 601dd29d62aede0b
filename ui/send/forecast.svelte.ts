import { toAddress } from '../meta/address.ts';
import { carriesCalls, type DryRun, dryRunOutcome, isOutOfRoom } from '../meta/dry-run.ts';
import type { DispatchOutcome } from '../meta/events.ts';
import { fromHex, toHex } from '../meta/hex.ts';
import type { RuntimeMeta } from '../meta/types.ts';
import { type DispatchInfo, decodeDispatchInfo, decodeValidity, type Validity } from '../meta/validity.ts';
import { faultText, groupDigits } from '../state/format.ts';
import type { UiNode } from '../state/ui-node.ts';
import type { Signer } from './signers.svelte.ts';
import { type ChainFacts, loadFacts, type SendOptions, signCall } from './signing.ts';

/** What would be sent. */
export type Question = {
  readonly meta: RuntimeMeta;
  readonly call: Uint8Array;
  readonly signer: Signer;
  readonly options: SendOptions;
};

/** What is known before anything is sent; each part null until it is, or where the node cannot tell. */
export type Answers = {
  readonly facts: ChainFacts | null;
  readonly sizeBytes: number | null;
  readonly info: DispatchInfo | null;
  readonly validity: Validity | null;
  readonly outcome: DispatchOutcome | null;
  /** Why validity and outcome stay open until it is sent. */
  readonly open: string | null;
  /** When the outcome is known, where a dry run would not tell it now. */
  readonly later: string | null;
};

const noAnswers: Answers = {
  facts: null,
  sizeBytes: null,
  info: null,
  validity: null,
  outcome: null,
  open: null,
  later: null,
};
const waitMs = 250;
/** TransactionSource::External. */
const external = '02';

/**
 * Why a dry run on the state of the best block tells nothing of what will become of it: it waits for an earlier nonce; or the
 * state is that of genesis, which does not know its own hash yet, and every signature covers that; or the block is full.
 */
const whenKnown = ({ birth }: ChainFacts, validity: Validity | null, run: DryRun | null): string | null => {
  if (validity?.kind === 'valid' && validity.requires.length > 0)
    return 'known once the earlier nonce is in a block';
  if (birth === null) return 'known from block #1 on: genesis cannot check signatures';
  // The runtime says of the transaction itself that it fits into a block.
  if (validity?.kind === 'valid' && run !== null && isOutOfRoom(run))
    return `no room left at block #${groupDigits(birth.number + 1)}: some runtimes take no transactions in a block that begins an epoch. It goes into the next block with room.`;
  return null;
};

const u32Hex = (value: number): string => toHex(new Uint8Array(Uint32Array.of(value).buffer)).slice(2);

/** The raw form of dev_dryRun; throws for another one. */
const readChanges = (answer: unknown): DryRun['changes'] => {
  if (!Array.isArray(answer)) throw new TypeError('dev_dryRun answered in another form.');
  return answer as DryRun['changes'];
};

/** Fee, validity and dry run of what is being written: asked after a pause in the typing, one question at a time. */
export class Forecast {
  #node: Pick<UiNode, 'request' | 'info' | 'status'>;
  #answers = $state.raw<Answers>(noAnswers);
  #fault = $state.raw<string | null>(null);
  #busy = $state.raw(false);
  #stop: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(node: Pick<UiNode, 'request' | 'info' | 'status'>) {
    this.#node = node;
  }

  get answers(): Answers {
    return this.#answers;
  }

  /** Why nothing can be foretold. */
  get fault(): string | null {
    return this.#fault;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** Asks soon; an earlier question that is still open is dropped. Null forgets what is known. */
  ask(question: Question | null): void {
    this.stop();
    if (question === null) {
      this.#answers = noAnswers;
      this.#fault = null;
      return;
    }
    this.#busy = true;
    this.#timer = setTimeout(() => void this.#run(question), waitMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#stop = null;
    this.#busy = false;
  }

  async #run(question: Question): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    try {
      const answers = await this.#answer(question, { signal: stop.signal });
      if (stop.signal.aborted) return;
      this.#answers = answers;
      this.#fault = null;
    } catch (fault) {
      if (stop.signal.aborted) return;
      this.#answers = noAnswers;
      this.#fault = faultText(fault);
    } finally {
      if (this.#stop === stop) this.#busy = false;
    }
  }

  async #answer(
    { meta, call, signer, options }: Question,
    asked: { readonly signal: AbortSignal },
  ): Promise<Answers> {
    const node = this.#node;
    const facts = await loadFacts(node, toAddress(signer.id, meta.ss58Prefix), options.nonce, asked);
    const open = await this.#whyOpen(signer);
    const extrinsic = await signCall(meta, call, signer, facts, options, open === null ? 'real' : 'mock');
    const sizeBytes = fromHex(extrinsic).length;
    const input = `${extrinsic}${u32Hex(sizeBytes)}`;
    const { best } = facts;
    const [info, validity, run] = await Promise.all([
      this.#try(
        ['state_call', ['TransactionPaymentApi_query_info', input, best]],
        (hex) => decodeDispatchInfo(String(hex)),
        asked,
      ),
      open === null
        ? this.#try(
            [
              'state_call',
              [
                'TaggedTransactionQueue_validate_transaction',
                `0x${external}${extrinsic.slice(2)}${best.slice(2)}`,
                best,
              ],
            ],
            (hex) => decodeValidity(String(hex)),
            asked,
          )
        : null,
      open === null ? this.#dryRun(extrinsic, best, carriesCalls(meta, call), asked) : null,
    ]);
    const later = whenKnown(facts, validity, run);
    const outcome = later !== null || run === null ? null : dryRunOutcome(meta, call, run);
    return { facts, sizeBytes, info, validity, outcome, open, later };
  }

  /** Of a call that carries others with the storage that changes, where the node tells it: its events tell of those. */
  async #dryRun(
    extrinsic: string,
    at: string,
    carries: boolean,
    asked: { readonly signal: AbortSignal },
  ): Promise<DryRun | null> {
    const [outcome, changes] = await Promise.all([
      this.#try(['system_dryRun', [extrinsic, at]], String, asked),
      carries ? this.#try(['dev_dryRun', [{ raw: true, extrinsic, at }]], readChanges, asked) : null,
    ]);
    return outcome === null ? null : { outcome, changes };
  }

  /** A node without one of the calls answers the others. */
  async #try<T>(
    [method, params]: readonly [string, readonly unknown[]],
    read: (answer: unknown) => T,
    asked: { readonly signal: AbortSignal },
  ): Promise<T | null> {
    try {
      return read(await this.#node.request(method, params, asked));
    } catch (fault) {
      if (asked.signal.aborted) throw fault;
      return null;
    }
  }

  async #whyOpen(signer: Signer): Promise<string | null> {
    switch (signer.kind) {
      case 'key':
        return null;
      case 'wallet':
        return 'The wallet signs when you send: validity and outcome are known then.';
      case 'impersonated': {
        const { impersonated, mockSignatures } = await this.#node.status();
        return mockSignatures || impersonated.includes(signer.id)
          ? null
          : 'Validity and outcome are known once the account is impersonated.';
      }
    }
  }
}
