import { NodeError } from '../../src/protocol/errors.ts';
import type { RehearsalOptions, RehearsalPosition, RehearsalReport } from '../../src/protocol/rehearsal.ts';
import type { Chain } from '../chain/chain.ts';
import type { Origin } from '../chain/origin.ts';
import type { BlockRef } from '../chain/tree.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { RehearsalDeps } from './rehearsal/rehearse.ts';

/** What was read over the network, since the rehearsal began. */
type Traffic = Pick<RehearsalReport, 'requests' | 'bytes'>;

export type RehearsalWatcher = {
  readonly watch: (progress: RehearsalPosition & Traffic) => void;
  readonly signal: AbortSignal;
};

/**
 * Rehearses the upgrade of a running node. Rejects with `LimitReached` while another one is rehearsed, and with the errors of
 * `prepareRehearsal`. The report rejects with `Aborted` and the errors of endpoints.
 */
export type Rehearse = (
  hash: BlockHash,
  code: Uint8Array,
  options: RehearsalOptions,
  watcher: RehearsalWatcher,
) => Promise<{ readonly report: Promise<RehearsalReport> }>;

export type OneRehearsalDeps = Omit<RehearsalDeps, 'chain'> & {
  readonly chain: Chain;
  /** Null: the chain is no fork, or its endpoints are not asked. */
  readonly origin: Pick<Origin, 'stats' | 'onProgress'> | null;
};

/** Allows one rehearsal at a time: each holds the states of all its blocks in memory. */
export const createRehearse = (deps: OneRehearsalDeps): Rehearse => {
  const { chain, origin } = deps;
  let base: BlockRef | null = null;
  void chain.pinStates(() => (base === null ? [] : [base]));

  const traffic = (): Traffic => {
    const { requests, bytes } = origin?.stats() ?? { requests: 0, bytes: 0 };
    return { requests, bytes };
  };

  const prepare = async (...[hash, code, options]: Parameters<Rehearse>) => {
    const { prepareRehearsal } = await import('./rehearsal/rehearse.ts');
    const header = await chain.loadHeader(hash);
    if (header !== null) base = { hash, number: header.number };
    return prepareRehearsal(deps, hash, code, options);
  };

  const follow = async (
    run: Awaited<ReturnType<typeof prepare>>,
    { watch, signal }: RehearsalWatcher,
    from: Traffic,
  ): Promise<RehearsalReport> => {
    const read = (): Traffic => {
      const now = traffic();
      return { requests: now.requests - from.requests, bytes: now.bytes - from.bytes };
    };
    let last: RehearsalPosition = { step: 'checks', block: null, keys: 0 };
    const tell = (): void => watch({ ...last, ...read() });
    const stop = origin?.onProgress(tell);
    try {
      const report = await run({
        watch: (position) => {
          last = position;
          tell();
        },
        signal,
      });
      return { ...report, ...read() };
    } finally {
      stop?.();
    }
  };

  let isBusy = false;
  const free = (): void => {
    isBusy = false;
    base = null;
  };
  return async (...request) => {
    if (isBusy)
      throw new NodeError(
        'LimitReached',
        'This node is rehearsing another upgrade: wait for its report, or cancel it first',
      );
    isBusy = true;
    const from = traffic();
    try {
      const run = await prepare(...request);
      return { report: follow(run, request[3], from).finally(free) };
    } catch (error) {
      free();
      throw error;
    }
  };
};
