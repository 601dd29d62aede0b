import { bytesToHex } from '../bytes/hex.ts';
import type { Origin } from '../chain/origin.ts';
import { eventOf, readChangedKey, readKeys } from './answers.ts';
import type { Asked, Job } from './ask.ts';
import type { Located } from './blocks.ts';
import type { Endpoint } from './endpoint.ts';
import type { AtOrNewer } from './newer-states.ts';
import { bad, good, type Outcome } from './problem.ts';

import { refuse } from './refusal.ts';

export type HintsDeps = {
  readonly atOrNewer: AtOrNewer;
  ask<T>(job: Job<T>): Promise<Asked<T>>;
  schedule(ms: number, run: () => void): () => void;
};

export type Hints = Pick<Origin, 'keysPaged' | 'diff'>;

/** What `state_getKeysPaged` returns at most (sc-rpc, `STORAGE_KEYS_PAGED_MAX_COUNT`). */
const pageSize = 1000;
/** More changed keys are no help to start with. */
const maxChangedKeys = 100_000;
/** How long the events of one difference may take. */
const diffMs = 20_000;

const differences = { start: 'archive_v1_storageDiff', stop: 'archive_v1_storageDiff_stopStorageDiff' };

/** The keys that a block changed, from one endpoint. */
const diffFrom = async (
  endpoint: Endpoint,
  at: Uint8Array,
  schedule: HintsDeps['schedule'],
  signal: AbortSignal,
): Promise<Outcome<Uint8Array[]>> => {
  const known = await endpoint.confirmChain(signal);
  if (!known.ok) return known;
  if (!endpoint.hasFeeds || endpoint.offers(differences.start) !== true)
    return bad('noMethod', `does not offer ${differences.start}`);
  const keys: Uint8Array[] = [];
  const ended = Promise.withResolvers<Outcome<Uint8Array[]>>();
  const item = (value: unknown): void => {
    const key = readChangedKey(value);
    if (key !== null) keys.push(key);
    else if (eventOf(value) === 'storageDiffDone') ended.resolve(good(keys));
    else ended.resolve(bad('failed', 'could not tell what the block changed'));
    if (keys.length > maxChangedKeys) ended.resolve(bad('tooLarge', 'sent too many changed keys'));
  };
  const end = (): void => ended.resolve(bad('failed', 'closed the connection'));
  const params = [bytesToHex(at), [{ key: '0x', returnType: 'hash' }]];
  const opened = await endpoint.subscribe(differences, params, { item, end }, signal);
  if (!opened.ok) return opened;
  const cancel = schedule(diffMs, () => ended.resolve(bad('failed', 'did not finish a difference in time')));
  signal.addEventListener('abort', end, { once: true });
  const outcome = await ended.promise;
  signal.removeEventListener('abort', end);
  cancel();
  // A finished one has ended by itself.
  if (!outcome.ok) opened.value();
  return outcome;
};

/** What helps to know what to read next. Nothing of it is proven. */
export const createHints = ({ atOrNewer, ask, schedule }: HintsDeps): Hints => {
  const pageAt = (
    { hash, header }: Located,
    prefix: Uint8Array,
    count: number,
    start: Uint8Array | null,
  ): Promise<Asked<Uint8Array[]>> =>
    ask({
      number: header.number,
      run: async (endpoint, signal) => {
        const from = start === null ? null : bytesToHex(start);
        const params = [bytesToHex(prefix), count, from, bytesToHex(hash)];
        const answer = await endpoint.call('state_getKeysPaged', params, signal);
        return answer.ok ? readKeys(answer.value, { prefix, start, count }) : answer;
      },
    });
  return {
    keysPaged: async (at, prefix, count, startKey) => {
      const keys: Uint8Array[] = [];
      while (keys.length < count) {
        const size = Math.min(pageSize, count - keys.length);
        const start = keys.at(-1) ?? startKey;
        const subject = { what: 'Keys', key: prefix };
        const asked = await atOrNewer(at, subject, (block) => pageAt(block, prefix, size, start));
        if (!asked.ok) throw refuse({ ...subject, block: at }, asked.problems);
        for (const key of asked.value) keys.push(key);
        if (asked.value.length < size) break;
      }
      return keys;
    },
    diff: async (at) => {
      const asked = await ask({ run: (endpoint, signal) => diffFrom(endpoint, at, schedule, signal) });
      return asked.ok ? asked.value : null;
    },
  };
};
