import { bytesToKey } from '../../bytes/bytes.ts';
import type { Chain } from '../../chain/chain.ts';
import type { ChainEvent } from '../../chain/events.ts';
import { isOriginFault } from '../../chain/refusal.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { numberedKey, numberOf, prefixLength } from '../../crypto/storage-keys.ts';
import type { Change } from '../../trie/trie.ts';

/** How far the number in a key may be from that of the block: what is due next, or the hash that is forgotten. */
const nearest = { below: 8192, above: 8 };

/** So many blocks ahead are read together, once fewer than `reserve` are left. */
export const ahead = 64;
const reserve = 8;

type Deps = {
  readonly chain: Pick<Chain, 'onEvent' | 'withState'>;
  readonly crypto: Pick<Crypto, 'twox64'>;
  readonly onError: (error: unknown) => void;
};

/** A change of an entry that is stored under a block number. */
type NumberedChange = {
  readonly prefix: Uint8Array;
  /** Its number minus that of the block. */
  readonly distance: number;
  readonly isRemoval: boolean;
};

/** The changes of a block to entries under block numbers near its own, such as `System.BlockHash` and `Scheduler.Agenda`. */
export const findNumbered = (
  crypto: Deps['crypto'],
  changes: readonly Change[],
  number: number,
): NumberedChange[] =>
  changes.flatMap(([key, value]) => {
    const own = numberOf(crypto, key);
    if (own === null) return [];
    const distance = own - number;
    if (distance > nearest.above || distance < -nearest.below) return [];
    return [{ prefix: key.slice(0, prefixLength), distance, isRemoval: value === null }];
  });

/** Only the place of a change matters. */
const someValue = /* @__PURE__ */ new Uint8Array(4);

/** The same changes for the blocks `from` to `to`. */
const repeatFor = (
  crypto: Deps['crypto'],
  numbered: readonly NumberedChange[],
  from: number,
  to: number,
): Change[] => {
  const changes = new Map<string, Change>();
  for (const { prefix, distance, isRemoval } of numbered)
    for (let number = from; number <= to; number++) {
      const key = numberedKey(crypto, prefix, number + distance);
      changes.set(bytesToKey(key), [key, isRemoval ? null : someValue]);
    }
  return [...changes.values()];
};

/** A block's changes, and the state from which those of the next ones are read. */
type Seen = { readonly hash: BlockHash; readonly number: number; readonly changes: readonly Change[] };

/** Reads what the blocks `from` to `to` will change under their own numbers, as the block that was seen did under its own. */
export const readNumbered = async (
  { chain, crypto }: Omit<Deps, 'onError'>,
  { hash, number, changes }: Seen,
  from: number,
  to: number,
): Promise<void> => {
  const main = repeatFor(crypto, findNumbered(crypto, changes, number), from, to);
  // A trial of the changes also needs what a removal merges.
  await chain.withState(hash, (state) => state.commit({ main, children: [], offchain: [] }, 1).backend.root);
};

/**
 * Reads ahead what the next blocks of a fork will change under their own numbers, which are keys that no block before has
 * read. Without it, every block would need a request, and none could be built once the live chain cannot be reached.
 */
export const readAhead = ({ chain, crypto, onError }: Deps): { close(): Promise<unknown> } => {
  let horizon = 0;
  let reading: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  const read = async ({
    hash,
    number,
    changes,
  }: Extract<ChainEvent, { kind: 'imported' }>): Promise<void> => {
    if (number + reserve <= horizon) return;
    horizon = number + ahead;
    try {
      await readNumbered({ chain, crypto }, { hash, number, changes: changes.main }, number + 1, horizon);
    } catch (error) {
      horizon = number + 2 * reserve;
      // The statistics of the endpoints show what failed, and a block that needs a value reports it.
      if (!isClosed && !isOriginFault(error)) onError(error);
    }
  };
  const stop = chain.onEvent((event) => {
    if (event.kind === 'imported') reading = Promise.all([reading, read(event)]);
    // The head may be on another base now.
    if (event.kind === 'moved') horizon = 0;
  });
  return {
    /** Resolves once nothing is read any more. */
    close: () => {
      isClosed = true;
      stop();
      return reading;
    },
  };
};
