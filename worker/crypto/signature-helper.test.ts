import { Worker as Thread } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadCrypto } from './crypto.ts';
import {
  type ClaimsToVerify,
  loadSignatureBatch,
  type SignatureClaim,
  type Verdict,
} from './signature-batch.ts';
import { createHelperSource, type SignatureHelper, type SignatureWorker } from './signature-helper.ts';

const crypto = await loadCrypto();
const { secret, publicKey } = crypto.suriToPair('//Alice', 'sr25519');
const claims: readonly SignatureClaim[] = Array.from({ length: 20 }, (_, index) => {
  const message = new Uint8Array(index).fill(index);
  return { message, signature: crypto.sr25519Sign(secret, message), publicKey };
});
const withBad = claims.with(7, { ...(claims[7] as SignatureClaim), message: Uint8Array.of(1) });

const threads: Thread[] = [];
const startThread = (): SignatureWorker => {
  const thread = new Thread(new URL('./signature-thread.ts', import.meta.url), { execArgv: [] });
  threads.push(thread);
  return thread as unknown as SignatureWorker;
};
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.terminate();
});

/** Until it is ready, which takes a moment. */
const findReady = (find: () => SignatureHelper | null): Promise<SignatureHelper> =>
  vi.waitFor(() => find() ?? Promise.reject(new Error('not ready')));

/** A worker that does with each message what the test says; null: it is silent. */
const pretend = (answer: (asked: ClaimsToVerify) => Promise<Verdict> | null) => {
  const ended: number[] = [];
  let started = 0;
  const start = (): SignatureWorker => {
    const own = ++started;
    const worker: SignatureWorker = {
      onmessage: null,
      onerror: null,
      terminate: () => void ended.push(own),
      postMessage: (asked: ClaimsToVerify) =>
        void answer(asked)?.then((data) =>
          worker.onmessage?.call(worker as Worker, { data } as MessageEvent),
        ),
    };
    return worker;
  };
  return { start, ended, started: () => started };
};
const isPing = ({ claims: packed }: ClaimsToVerify): boolean => packed.length === 4;
const say = ({ turn }: ClaimsToVerify, areValid: boolean | null): Promise<Verdict> =>
  Promise.resolve({ turn, areValid });

describe('a helper in a thread', () => {
  it('returns the verdicts of this thread, and is there only once it can', async () => {
    const find = createHelperSource();
    expect(find(startThread)).toBeNull();
    const helper = await findReady(() => find(startThread));
    expect(threads.length).toBe(1);
    const { sr25519 } = await loadSignatureBatch();
    for (const all of [claims, withBad, claims.slice(0, 1), []])
      expect(await helper.verify('sr25519', all)).toBe(sr25519(all));
    expect(await helper.verify('sr25519', withBad)).toBe(false);
  });

  it('rejects what it was given when it dies, and is started again', async () => {
    const find = createHelperSource();
    find(startThread);
    const helper = await findReady(() => find(startThread));
    const verdict = helper.verify('sr25519', claims);
    void threads[0]?.terminate();
    await expect(Promise.all([verdict, helper.verify('sr25519', claims)])).rejects.toThrow('has ended');
    await expect(helper.verify('sr25519', claims)).rejects.toThrow('has ended');
    expect(await (await findReady(() => find(startThread))).verify('sr25519', claims)).toBe(true);
    expect(threads.length).toBe(2);
  });
});

describe('a helper that fails', () => {
  it('rejects when it is given up, and is ended', async () => {
    const { start, ended } = pretend((asked) => (isPing(asked) ? say(asked, true) : null));
    const find = createHelperSource();
    find(start);
    const helper = await findReady(() => find(start));
    const verdict = helper.verify('sr25519', claims);
    helper.giveUp();
    await expect(verdict).rejects.toThrow('has ended');
    expect(ended).toEqual([1]);
  });

  it.each([
    ['cannot load its module', (asked: ClaimsToVerify) => say(asked, null)],
    ['fails at its work', (asked: ClaimsToVerify) => say(asked, isPing(asked) ? true : null)],
  ])('that %s is not started a fourth time', async (_, answer) => {
    const { start, ended, started } = pretend(answer);
    const find = createHelperSource();
    await vi.waitFor(async () => {
      await find(start)
        ?.verify('sr25519', claims)
        .catch(() => undefined);
      expect(ended.length).toBe(3);
    });
    expect(find(start)).toBeNull();
    expect(started()).toBe(3);
  });

  it('that cannot be started is not tried a fourth time', () => {
    const start = vi.fn((): SignatureWorker => {
      throw new Error('refused');
    });
    const find = createHelperSource();
    for (let tries = 0; tries < 5; tries++) expect(find(start)).toBeNull();
    expect(start).toHaveBeenCalledTimes(3);
  });

  it('and works again in between is started again', async () => {
    let works = 0;
    const { start, started } = pretend((asked) =>
      say(asked, isPing(asked) || works++ % 2 === 0 ? true : null),
    );
    const find = createHelperSource();
    for (let round = 1; round <= 5; round++) {
      find(start);
      const helper = await findReady(() => find(start));
      expect(await helper.verify('sr25519', claims)).toBe(true);
      await expect(helper.verify('sr25519', claims)).rejects.toThrow('has ended');
      expect(started()).toBe(round);
    }
  });
});

it('without a second core there is none', () => {
  expect(createHelperSource()(() => null)).toBeNull();
});
