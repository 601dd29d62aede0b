import type { FinalityMode } from '../../src/index.ts';
import type { TxPlace } from '../state/transactions/tx-search.svelte.ts';
import { groupDigits } from '../text/format.ts';

/** The inputs of the sentence below the stages. */
export type TxFacts = {
  readonly place: TxPlace | null;
  /** The last block of the best chain that contained it. */
  readonly lastNumber: number | null;
  /** Number of the finalized block. */
  readonly finalized: number;
  /** The seal mode, as named by the seal control. */
  readonly seal: string;
  /** Null until it is known. */
  readonly finality: FinalityMode | null;
};

export type TxNews = {
  readonly text: string;
  /** The action that the node is waiting for, if any. */
  readonly next: 'seal' | 'finalize' | null;
  /** Whether its block left the best chain. */
  readonly isLost: boolean;
};

const poolNews = (queue: 'ready' | 'future', seal: string): Pick<TxNews, 'text' | 'next'> =>
  queue === 'future'
    ? { text: 'In the pool, waiting for another transaction.', next: null }
    : seal === 'manual'
      ? { text: 'In the pool. Sealing is manual.', next: 'seal' }
      : { text: 'In the pool. Waiting for a block.', next: null };

const blockNews = (number: number, { finalized, seal, finality }: TxFacts): Pick<TxNews, 'text' | 'next'> => {
  const name = `block #${groupDigits(number)}`;
  if (number <= finalized) return { text: `Finalized in ${name}.`, next: null };
  if (finality?.kind === 'manual')
    return { text: `In ${name}. Finality is manual: finalize the block yourself.`, next: 'finalize' };
  return seal === 'manual' && finality?.kind === 'delayed' && 'blocks' in finality
    ? { text: `In ${name}. It is finalized once later blocks follow, and sealing is manual.`, next: 'seal' }
    : { text: `In ${name}. Waiting for finality.`, next: null };
};

/** The status of a transaction in one or two sentences. Names its block if that has left the best chain. */
export const txNews = (facts: TxFacts): TxNews => {
  const { place, lastNumber, seal } = facts;
  if (place?.kind === 'block' && place.best) return { ...blockNews(place.number, facts), isLost: false };
  const { text, next } = poolNews(place?.kind === 'pool' ? place.queue : 'ready', seal);
  if (lastNumber !== null) {
    const left = `Block #${groupDigits(lastNumber)} is no longer on the best chain.`;
    return place?.kind === 'pool'
      ? { text: `${left} ${text.replace('In', 'The transaction is back in')}`, next, isLost: true }
      : { text: `${left} The transaction was undone with it.`, next: null, isLost: true };
  }
  if (place?.kind !== 'block') return { text, next, isLost: false };
  const fork = `In block #${groupDigits(place.number)} of a fork, not on the best chain.`;
  return { text: fork, next: null, isLost: true };
};
