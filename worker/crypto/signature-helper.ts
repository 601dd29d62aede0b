import { isNodePort, onPortMessage } from '../../src/protocol/port.ts';
import {
  type BatchScheme,
  type ClaimsToVerify,
  packClaims,
  type SignatureClaim,
  type Verdict,
} from './signature-batch.ts';

/** A worker that runs signature-worker.ts, or signature-thread.ts in Node.js. */
export type SignatureWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/** Verifies signatures in a worker of its own, while this thread does something else. It never gets a secret. */
export type SignatureHelper = {
  /** Whether all are valid. Rejects if the helper ends, or cannot verify. */
  verify(scheme: BatchScheme, claims: readonly SignatureClaim[]): Promise<boolean>;
  /** Ends a helper that does not return its verdicts. What it has not returned rejects. */
  giveUp(): void;
};

/** After this many helpers that failed in a row no other is started. */
const maxFailures = 3;
/** How long a helper is kept without work, in ms. */
const idleMs = 30_000;

const onEnded = (worker: SignatureWorker, run: () => void): void => {
  if (isNodePort(worker)) {
    const emitter = worker as unknown as { on(event: 'error' | 'exit', run: () => void): void };
    emitter.on('error', run);
    emitter.on('exit', run);
  } else worker.onerror = run;
};

let helper: SignatureHelper | null = null;
let isReady = false;
let failures = 0;

const gone = () => new Error('The helper for signatures has ended');

const open = (worker: SignatureWorker): SignatureHelper => {
  const asked = new Map<number, PromiseWithResolvers<boolean>>();
  let last = 0;
  let isOver = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const end = (failed: boolean): void => {
    if (isOver) return;
    isOver = true;
    helper = null;
    isReady = false;
    if (failed) failures += 1;
    clearTimeout(idle);
    worker.terminate();
    for (const { reject } of asked.values()) reject(gone());
    asked.clear();
  };
  const rest = (): void => {
    clearTimeout(idle);
    idle = setTimeout(end, idleMs, false);
    (idle as { unref?(): void }).unref?.();
  };
  const receive = ({ turn, areValid }: Verdict): void => {
    const waiting = asked.get(turn);
    asked.delete(turn);
    if (areValid === null) {
      waiting?.reject(gone());
      end(true);
      return;
    }
    // Not by the first message: a helper that starts may fail at its work.
    if (isReady) failures = 0;
    waiting?.resolve(areValid);
    if (asked.size === 0) rest();
  };
  onPortMessage(worker as unknown as MessagePort, (data) => receive(data as Verdict));
  onEnded(worker, () => end(true));
  // In Node.js, where it would keep the process running.
  (worker as { unref?(): void }).unref?.();
  return {
    verify: async (scheme, claims) => {
      if (isOver) throw gone();
      clearTimeout(idle);
      last += 1;
      const waiting = Promise.withResolvers<boolean>();
      asked.set(last, waiting);
      const packed = packClaims(claims);
      worker.postMessage({ turn: last, scheme, claims: packed } satisfies ClaimsToVerify, [packed.buffer]);
      return waiting.promise;
    },
    giveUp: () => end(true),
  };
};

/** Null: the browser has no second core, or starts no worker in a worker. */
const startInBrowser = (): SignatureWorker | null =>
  typeof Worker === 'function' && navigator.hardwareConcurrency > 1
    ? new Worker(new URL('./signature-worker.ts', import.meta.url), { type: 'module' })
    : null;

/**
 * The helper of this thread, of which there is one for all chains. Null while it starts, which the first call causes, and
 * where there is none. `start` is that of the platform.
 */
export const findSignatureHelper = (
  start: () => SignatureWorker | null = startInBrowser,
): SignatureHelper | null => {
  if (helper !== null) return isReady ? helper : null;
  if (failures >= maxFailures) return null;
  try {
    const worker = start();
    if (worker === null) return null;
    const opened = open(worker);
    helper = opened;
    // Returns once its module is compiled.
    const prepare = async (): Promise<void> => {
      await opened.verify('sr25519', []);
      isReady = helper === opened;
    };
    prepare().catch(() => opened.giveUp());
  } catch {
    failures += 1;
  }
  return null;
};
