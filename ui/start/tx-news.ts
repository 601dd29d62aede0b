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
  /** Whether it waits until the user seals a block. */
  readonly awaitsSeal: boolean;
  /** Whether its block left the best chain. */
  readonly isLost: boolean;
};

const poolNews = (queue: 'ready' | 'future', seal: string): Pick<TxNews, 'text' | 'awaitsSeal'> =>
  queue === 'future'
    ? { text: 'In the pool, waiting for another transaction.', awaitsSeal: false }
    : seal === 'manual'
      ? { text: 'In the pool. Sealing is manual.', awaitsSeal: true }
      : { text: 'In the pool. Waiting for a block.', awaitsSeal: false };

const blockNews = (
  number: number,
  { finalized, seal, finality }: TxFacts,
): Pick<TxNews, 'text' | 'awaitsSeal'> => {
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

/** The status of a transaction in one or two sentences. Names its block if that has left the best chain. */
export const txNews = (facts: TxFacts): TxNews => {
  const { place, lastNumber, seal } = facts;
  if (place?.kind === 'block' && place.best) return { ...blockNews(place.number, facts), isLost: false };
  const { text, awaitsSeal } = poolNews(place?.kind === 'pool' ? place.queue : 'ready', seal);
  if (lastNumber !== null) {
    const left = `Block #${groupDigits(lastNumber)} is no longer on the best chain.`;
    return place?.kind === 'pool'
      ? { text: `${left} ${text.replace('In', 'The transaction is back in')}`, awaitsSeal, isLost: true }
      : { text: `${left} The transaction was undone with it.`, awaitsSeal: false, isLost: true };
  }
  if (place?.kind !== 'block') return { text, awaitsSeal, isLost: false };
  const fork = `In block #${groupDigits(place.number)} of a fork, not on the best chain.`;
  return { text: fork, awaitsSeal: false, isLost: true };
};
