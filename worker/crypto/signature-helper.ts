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

export type StartSignatureWorker = () => SignatureWorker | null;

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

const gone = (): Error => new Error('The helper for signatures has ended');

/** `onEnd` is called once, at the end of the worker: whether it failed, instead of having nothing to do. */
const openHelper = (worker: SignatureWorker, onEnd: (failed: boolean) => void): SignatureHelper => {
  const asked = new Map<number, PromiseWithResolvers<boolean>>();
  let last = 0;
  let isOver = false;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const end = (failed: boolean): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(idle);
    worker.terminate();
    for (const { reject } of asked.values()) reject(gone());
    asked.clear();
    onEnd(failed);
  };
  const rest = (): void => {
    clearTimeout(idle);
    idle = setTimeout(end, idleMs, false);
    (idle as { unref?(): void }).unref?.();
  };
  const receive = ({ turn, areValid }: Verdict): void => {
    const waiting = asked.get(turn);
    if (areValid === null) {
      end(true);
      return;
    }
    asked.delete(turn);
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

/** Returns the helper that exists, or null while it starts, which the first call causes. */
export const createHelperSource = () => {
  let helper: SignatureHelper | null = null;
  let isReady = false;
  let failures = 0;
  const open = async (worker: SignatureWorker): Promise<void> => {
    const opened = openHelper(worker, (failed) => {
      helper = null;
      isReady = false;
      if (failed) failures += 1;
    });
    helper = {
      ...opened,
      verify: async (scheme, claims) => {
        const areValid = await opened.verify(scheme, claims);
        failures = 0;
        return areValid;
      },
    };
    // Returns once its module is compiled. A helper that starts may still fail at its work, so this is no success.
    isReady = await opened.verify('sr25519', []);
  };
  return (start: StartSignatureWorker = startInBrowser): SignatureHelper | null => {
    if (helper !== null) return isReady ? helper : null;
    if (failures >= maxFailures) return null;
    try {
      const worker = start();
      if (worker !== null) open(worker).catch(() => undefined);
    } catch {
      failures += 1;
    }
    return null;
  };
};

/** The helper of this thread, of which there is one for all chains. Null where there is none; then verify here. */
export const findSignatureHelper = createHelperSource();
