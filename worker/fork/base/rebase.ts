import { quoteName } from '../../../src/protocol/chain-id.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import type { ForkSource } from '../../../src/protocol/fork-source.ts';
import { openTrieStore } from '../../chain/states/trie-store.ts';
import type { PreparedBase } from '../../dev/rebase.ts';
import type { Executor } from '../../executor/executor.ts';
import type { Access, AccessDeps } from '../access.ts';
import { type ForkRecord, forkPut } from '../record.ts';
import { createKnownChains } from '../shared/known-chains.ts';
import type { LearnedReads } from '../shared/learned-reads.ts';
import type { Declared } from './declared.ts';
import { askForBase } from './find-base.ts';
import { readBase } from './read-base.ts';

/** The fork as it is. */
export type Present = {
  readonly executor: Pick<Executor, 'load'>;
  readonly record: ForkRecord;
  readonly declared: Declared;
  readonly learned: LearnedReads;
};

/** Memory limit of decoded nodes of the new base while it is read. */
const cacheBytes = 16 * 1024 * 1024;

/**
 * Reads another base of a fork as far as its first block needs it, and applies to it what was declared. Only nodes are stored;
 * the fork goes on reading the state of its present base. Throws `NotCached` without a network, `BadValue` for a block that is
 * not above the present base, `UnknownBlock`, `BadCode`, and the errors of endpoints.
 */
export const prepareRebase = async (
  deps: AccessDeps,
  access: Access,
  { executor, record, declared, learned }: Present,
  endpoints: ForkSource['endpoints'],
  block: string,
  adopt: (next: ForkRecord) => void,
): Promise<PreparedBase> => {
  const { crypto, db, onError } = deps;
  const { origin, shared, whyNot } = access;
  const name = quoteName(record.name);
  if (origin === null)
    throw new NodeError('NotCached', `Block ${block} of ${name} is read from an endpoint, and ${whyNot}`);
  const chains = createKnownChains(shared, crypto.blake2b256);
  const found = await askForBase(origin, chains, endpoints, block);
  const { base } = found.record;
  if (base.number <= record.base.number)
    throw new NodeError(
      'BadValue',
      `Block #${base.number} of ${name} is not newer than the base of this fork, block #${record.base.number}`,
    );
  const next: ForkRecord = { ...record, base, chosenAs: found.record.chosenAs };
  // A store of its own: until the base is replaced, the chain reads the state of the present one.
  const store = await openTrieStore(db, {
    blake2b256: crypto.blake2b256,
    cacheBytes,
    journalBytes: 0,
    origin: access.nodesOf(() => next, learned),
    onError,
  });
  const given = { base: found.base, record: next, declared };
  const { overrides } = await readBase({ crypto, db, store, executor, learned }, given);
  return {
    ref: base,
    block: found.base,
    overrides,
    records: [forkPut(next)],
    adopt: () => adopt(next),
  };
};
