import { NodeError } from '../../src/protocol/errors.ts';
import { Writer } from '../bytes/writer.ts';
import type { Chain } from '../chain/chain.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { CallExtensions } from '../executor/extensions.ts';
import { createOverlay } from '../state/overlay.ts';
import { createAnswers, Waiting } from './answers.ts';
import { createRunClock } from './clock.ts';
import { createOffchainHost, createWorkerKeystore, type HostDeps } from './host.ts';
import { createHttp } from './http.ts';

export type RunDeps = HostDeps & {
  readonly chain: Pick<Chain, 'runtimeAt' | 'withState'>;
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly fetch: typeof globalThis.fetch;
  /** Origins that requests may be sent to. */
  readonly allowed: readonly string[];
};

export type WorkerBlock = { readonly hash: BlockHash; readonly header: Header };

const method = 'OffchainWorkerApi_offchain_worker';

/** Version 1 of the API takes the block number, later ones the header. */
const inputFor = (version: number, header: Header): Uint8Array =>
  version >= 2 ? encodeHeader(header) : new Writer(4).u32(header.number).finish();

/**
 * Runs the offchain worker of a block on its state, and repeats it whenever a result that it waits for has
 * arrived. Throws `RuntimeTrap`, `OutOfFuel`, or the signal's reason when its time is over.
 */
export const runWorker = async (
  deps: RunDeps,
  { hash, header }: WorkerBlock,
  signal: AbortSignal,
): Promise<void> => {
  const runtime = await deps.chain.runtimeAt(hash);
  const version = runtime.apiVersion('OffchainWorkerApi');
  if (version === null) return;
  const input = inputFor(version, header);
  const answers = createAnswers();
  const clock = createRunClock(deps, signal);
  const http = createHttp({ ...deps, signal, clock, answers });
  const extensions: CallExtensions = {
    offchain: createOffchainHost(deps, { block: hash, answers, clock, http }),
    keystore: createWorkerKeystore(deps.keystore, answers),
  };
  for (;;) {
    signal.throwIfAborted();
    try {
      const result = await deps.chain.withState(hash, (backend) => {
        answers.rewind();
        return runtime.call(createOverlay(backend), method, input, { fuel: 'small', extensions });
      });
      if (result.ok) return;
      const code = result.kind === 'fuel' ? 'OutOfFuel' : 'RuntimeTrap';
      throw new NodeError(code, `The offchain worker of block #${header.number}: ${result.trap}`);
    } catch (error) {
      if (!(error instanceof Waiting)) throw error;
      await clock.until(null, error.settled);
    }
  }
};
