import type { FinalityMode } from '../../../src/index.ts';
import { groupDigits } from '../../kit/text/format.ts';
import type { SentItem } from './sent-item.ts';
import type { TxPlace } from './tx-search.svelte.ts';
import { endOf, notIncluded, notIncludedEnd, statusOf, type TxEnd, unknown } from './tx-status.ts';

/** Where a transaction is, as its statuses or a search say. */
export type TxState = {
  readonly place: TxPlace | null;
  /** The last block of the best chain that contained it. */
  readonly lastNumber: number | null;
  /** Whether the pool and the newest blocks were searched for it. */
  readonly isSearched: boolean;
  /** The transaction as the page sent it; null if it did not. */
  readonly item: SentItem | null;
};

/** The inputs of the stages and of the sentence below them. */
export type TxFacts = TxState & {
  /** Number of the finalized block. */
  readonly finalized: number;
  /** The seal mode, as named by the seal control. */
  readonly seal: string;
  /** Null until it is known. */
  readonly finality: FinalityMode | null;
};

/** A stage that was reached (`done`), was not and will not be (`bad`), or may be (`open`), with a word about it. */
export type Stage = { readonly state: 'done' | 'bad' | 'open'; readonly word: string };

export type TxProgress = {
  readonly text: string;
  readonly tone: 'muted' | 'warn' | 'bad';
  /** Whether it waits until the user seals a block. */
  readonly awaitsSeal: boolean;
  /** Pool, block and finality. */
  readonly stages: readonly [Stage, Stage, Stage];
};

type Sentence = Pick<TxProgress, 'text' | 'awaitsSeal'>;

const done: Stage = { state: 'done', word: '' };
const waiting: Stage = { state: 'open', word: 'waiting…' };
const none: Stage = { state: 'open', word: '–' };

const poolSentence = (queue: 'ready' | 'future', seal: string): Sentence =>
  queue === 'future'
    ? { text: 'In the pool, waiting for another transaction.', awaitsSeal: false }
    : seal === 'manual'
      ? { text: 'In the pool. Sealing is manual.', awaitsSeal: true }
      : { text: 'In the pool. Waiting for a block.', awaitsSeal: false };

const blockSentence = (number: number, { finalized, seal, finality }: TxFacts): Sentence => {
  const name = `block #${groupDigits(number)}`;
  if (number <= finalized) return { text: `Finalized in ${name}.`, awaitsSeal: false };
  if (finality?.kind === 'manual')
    return { text: `In ${name}. Finality is manual: finalize the block yourself.`, awaitsSeal: false };
  return seal === 'manual' && finality?.kind === 'delayed' && 'blocks' in finality
    ? {
        text: `In ${name}. It is finalized once later blocks follow, and sealing is manual.`,
        awaitsSeal: true,
      }
    : { text: `In ${name}. Waiting for finality.`, awaitsSeal: false };
};

const queueOf = (status: string | undefined): 'ready' | 'future' | null =>
  status === 'future' ? 'future' : status === 'ready' || status === 'broadcast' ? 'ready' : null;

/** Where a transaction is that was sent from this page, by its statuses. */
export const stateOf = (item: SentItem): TxState => {
  const { block, steps, hex, leftNumber = null } = item;
  const last = steps.at(-1)?.name;
  // What has left its block is on its way back into the pool.
  const queue = queueOf(last) ?? (last === 'retracted' ? 'ready' : null);
  const place: TxPlace | null =
    block !== null
      ? { kind: 'block', ...block, block: block.hash, best: block.best !== false }
      : queue !== null && item.open
        ? { kind: 'pool', hex, queue }
        : null;
  return {
    place,
    lastNumber: block === null || block.best === false ? leftNumber : block.number,
    isSearched: false,
    item,
  };
};

/** Why its call failed in the block where it is; null if it did not, or if that is not known. */
const failureOf = ({ place, item }: TxState): string | null =>
  place?.kind === 'block' && item?.block?.hash === place.block && item.outcome?.kind === 'failed'
    ? item.outcome.text
    : null;

/** How it ended without a block; null if it did not, as far as its place and its statuses say. */
const endIn = ({ place, lastNumber, isSearched, item }: TxFacts): TxEnd | null => {
  if (place?.kind === 'block') return null;
  const end = item && endOf(item);
  if (end !== null && end.name !== notIncluded) return end;
  const isGone = end !== null || (item === null && isSearched);
  return isGone && place === null && lastNumber === null ? notIncludedEnd : null;
};

/** One that left the best chain with its block, and where it is now. */
const leftSentence = ({ place, lastNumber, item, seal }: TxFacts): Sentence => {
  if (lastNumber === null)
    return {
      text: `In block #${groupDigits(place?.kind === 'block' ? place.number : 0)} of a fork, not on the best chain.`,
      awaitsSeal: false,
    };
  const left = `Block #${groupDigits(lastNumber)} is no longer on the best chain.`;
  if (place?.kind !== 'pool') {
    const again = item === null ? '' : ' Send it again.';
    return { text: `${left} The transaction was undone with it.${again}`, awaitsSeal: false };
  }
  const { text, awaitsSeal } = poolSentence(place.queue, seal);
  return { text: `${left} ${text.replace('In', 'The transaction is back in')}`, awaitsSeal };
};

/** Whether the pool has taken it. Of one that was not sent from this page, nothing is known before it is found. */
const isPooled = ({ place, item }: TxFacts): boolean =>
  place !== null || (item?.steps.some(({ name }) => name !== unknown) ?? false);

/** The status of a transaction: its stages, and one or two sentences. Names a block that has left the best chain. */
export const txProgress = (facts: TxFacts): TxProgress => {
  const { place, lastNumber, item } = facts;
  const failed = failureOf(facts);
  const end = endIn(facts);
  if (end !== null)
    return {
      text: end.text,
      tone: 'bad',
      awaitsSeal: false,
      stages: [{ state: 'bad', word: end.name }, none, none],
    };
  if (place?.kind === 'block' && place.best) {
    const isFinal = place.number <= facts.finalized;
    const last = isFinal ? done : waiting;
    if (failed === null)
      return { ...blockSentence(place.number, facts), tone: 'muted', stages: [done, done, last] };
    const text = `The transaction failed in block #${groupDigits(place.number)}: ${failed}`;
    return { text, tone: 'bad', awaitsSeal: false, stages: [done, { state: 'bad', word: 'failed' }, last] };
  }
  if (lastNumber !== null || place?.kind === 'block') {
    const next = place?.kind === 'pool' ? waiting : none;
    return { ...leftSentence(facts), tone: 'warn', stages: [done, next, next] };
  }
  if (isPooled(facts)) {
    // Which block includes it, the page may not know yet.
    const none = { text: '', awaitsSeal: false };
    const sentence = place === null ? none : poolSentence(place.queue, facts.seal);
    return { ...sentence, tone: 'muted', stages: [done, waiting, waiting] };
  }
  const word = item === null ? 'Checking…' : statusOf(item).replace(/…?$/, '…');
  return {
    text: '',
    tone: 'muted',
    awaitsSeal: false,
    stages: [{ state: 'open', word: word.toLowerCase() }, waiting, waiting],
  };
};
