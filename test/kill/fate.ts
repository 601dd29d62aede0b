import { bytesToKey } from '../../worker/bytes/bytes.ts';
import { type ChainRecord, decodeChainRecord } from '../../worker/chain/records.ts';
import { chainKey } from '../../worker/chain/store.ts';
import { type BlockHash, bytesToBlockHash } from '../../worker/codec/identity.ts';
import type { Engine } from '../../worker/db/checked.ts';
import type { Batch } from '../../worker/db/database.ts';

/**
 * What happens to one write. `fail`: it is refused, and the next one may succeed. `hang`: it does not end
 * before the process does. `die`: the process ends. Each happens before anything is stored, in the middle of
 * the records, or after all of them.
 */
export type Fault = {
  readonly what: 'fail' | 'hang' | 'die';
  readonly when: 'before' | 'within' | 'after';
  /** Which write is hit, counted from now on. */
  readonly nth: number;
};

/** All combinations, except that a database does not refuse a write that it has stored. */
export const faultKinds: readonly Omit<Fault, 'nth'>[] = [
  { what: 'fail', when: 'before' },
  { what: 'fail', when: 'within' },
  { what: 'hang', when: 'before' },
  { what: 'hang', when: 'after' },
  { what: 'die', when: 'before' },
  { what: 'die', when: 'within' },
  { what: 'die', when: 'after' },
];

const injected = (): Error => new Error('injected fault');

/** Tracks what this process has written to the disk. */
const createStored = () => {
  const headers = new Set<BlockHash>();
  const state: { record: ChainRecord | null } = { record: null };
  const recordIn = ({ puts }: Batch): ChainRecord | null => {
    const put = puts.findLast(([store, key]) => store === 'meta' && bytesToKey(key) === bytesToKey(chainKey));
    return put === undefined ? null : decodeChainRecord(put[2]);
  };
  return {
    state,
    headers,
    note: (batch: Batch): void => {
      for (const [store, key] of batch.deletes)
        if (store === 'headers') headers.delete(bytesToBlockHash(key));
      for (const [store, key] of batch.puts) if (store === 'headers') headers.add(bytesToBlockHash(key));
      state.record = recordIn(batch) ?? state.record;
    },
  };
};

export type Fate = ReturnType<typeof createFate>;

/** A database engine with injected faults. */
export const createFate = (engine: Engine) => {
  const stored = createStored();
  let fault: Fault | null = null;
  let writes = 0;
  let isDead = false;
  let struck = Promise.withResolvers<Fault>();
  let release = (): void => undefined;

  const happen = async ({ what, when }: Fault, batch: Batch, write: () => Promise<void>): Promise<void> => {
    if (when === 'after') {
      await write();
      stored.note(batch);
    }
    isDead = what === 'die';
    const hanging = Promise.withResolvers<void>();
    release = hanging.resolve;
    struck.resolve(fault as Fault);
    if (what === 'hang') await hanging.promise;
    throw injected();
  };

  const write: Engine['write'] = async (batch, bytesOf) => {
    if (isDead) throw injected();
    const now = fault !== null && writes++ === fault.nth ? fault : null;
    if (now === null) {
      await engine.write(batch, bytesOf);
      stored.note(batch);
      return;
    }
    const middle = batch.puts.length >> 1;
    let put = 0;
    // In the middle of a transaction, the engine itself rolls back.
    const failing: typeof bytesOf = (...record) => {
      if (put++ >= middle) throw injected();
      return bytesOf(...record);
    };
    if (now.when === 'within') await engine.write(batch, failing).catch(() => undefined);
    await happen(now, batch, () => engine.write(batch, bytesOf));
  };

  return {
    engine: { ...engine, write } satisfies Engine,
    stored,
    arm: (next: Fault): Promise<Fault> => {
      [fault, writes, struck] = [next, 0, Promise.withResolvers<Fault>()];
      return struck.promise;
    },
    disarm: (): void => {
      fault = null;
    },
    /** Ends the process: hanging writes end, and nothing more is stored. */
    kill: (): void => {
      isDead = true;
      release();
    },
  };
};
