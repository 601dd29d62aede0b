import type { EndpointRecord, EndpointTimes } from './endpoint-record.ts';
import type { Line } from './line.ts';
import { bad, good, type Outcome, type Problem, quote } from './problem.ts';

export type OpeningDeps = {
  readonly times: EndpointTimes;
  readonly record: EndpointRecord;
  /** Aborted when the endpoint is closed. */
  readonly closing: AbortSignal;
  open(count: (characters: number) => void, signal: AbortSignal): Promise<Outcome<Line>>;
  /** Compares a genesis hash, as the endpoint returned it, with that of the origin. Null: it is the same. */
  agree(genesis: unknown, isFirst: boolean): Promise<Problem | null>;
  /** Called with each request that opens a connection: callers wait for it, so it takes no turn of its own. */
  spend(): void;
  /** It could not be asked for its genesis hash. */
  absent(): void;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
};

const maxMethods = 10_000;

/** The names of `rpc_methods`; null if they have no known form, or there are none. */
const readMethods = (result: unknown): ReadonlySet<string> | null => {
  const list = Array.isArray(result) ? result : (result as { methods?: unknown } | null)?.methods;
  if (!Array.isArray(list) || list.length === 0 || list.length > maxMethods) return null;
  return new Set((list as unknown[]).filter((name) => typeof name === 'string'));
};

/** A request on an open line, with a deadline. */
export const createRequest =
  ({ schedule, now, times, record, closing }: OpeningDeps) =>
  async (
    line: Line,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Outcome<unknown>>,
  ): Promise<Outcome<unknown>> => {
    const deadline = new AbortController();
    const cancel = schedule(times.requestMs, () => deadline.abort());
    const beganMs = now();
    record.sent();
    try {
      const outcome = await ask(AbortSignal.any([deadline.signal, signal, closing]));
      if (deadline.signal.aborted) {
        // A connection that is silent for so long may have been lost without a word.
        if (record.answeredMs() <= beganMs) line.close();
        return bad('failed', `did not respond within ${Math.round(times.requestMs / 1000)} s`);
      }
      if (outcome.ok) {
        record.answered();
        record.measured(now() - beganMs);
      }
      return outcome;
    } finally {
      cancel();
    }
  };

type RequestOn = ReturnType<typeof createRequest>;

/** Which chain an endpoint is of, and what it offers. */
const createIdentity = (deps: OpeningDeps, request: RequestOn) => {
  let methods: ReadonlySet<string> | null = null;
  let isKnown = false;
  let confirmedMs = Number.NEGATIVE_INFINITY;
  const confirm = async (line: Line, signal: AbortSignal): Promise<Outcome<null>> => {
    deps.spend();
    const genesis = await request(line, signal, (stop) => line.request('chain_getBlockHash', [0], stop));
    if (!genesis.ok) {
      const { kind, text } = genesis.problem;
      if (kind === 'limited') return genesis;
      // Whatever it means for this call, to the one that opens the connection it is a failure.
      return bad(kind === 'noMethod' ? 'unfit' : 'failed', text);
    }
    const problem = await deps.agree(genesis.value, !isKnown);
    if (problem !== null) return { ok: false, problem };
    confirmedMs = deps.now();
    return good(null);
  };
  return {
    confirm,
    isConfirmed: (): boolean => deps.now() - confirmedMs < deps.times.confirmMs,
    offers: (method: string): boolean | null => (methods === null ? null : methods.has(method)),
    /** The first time, it also learns what the endpoint offers. */
    identify: async (line: Line, signal: AbortSignal): Promise<Outcome<null>> => {
      if (!isKnown) deps.spend();
      const listing = isKnown ? null : request(line, signal, (stop) => line.request('rpc_methods', [], stop));
      const [confirmed, listed] = await Promise.all([confirm(line, signal), listing]);
      if (!confirmed.ok) return confirmed;
      if (listed?.ok === true) methods = readMethods(listed.value);
      isKnown = true;
      // Only the new JSON-RPC, for example: it has no method that proves trie nodes.
      if (methods !== null && !methods.has('state_getReadProof'))
        return bad('unfit', 'does not offer state_getReadProof, which proves the state');
      return good(null);
    },
  };
};

/** The open line: opened when it is needed, once the endpoint has named the chain of the origin. */
export const createOpening = (deps: OpeningDeps, request: RequestOn) => {
  const { record, closing } = deps;
  const { identify, confirm, isConfirmed, offers } = createIdentity(deps, request);
  let opening: Promise<Outcome<Line>> | null = null;
  const open = async (onEnd: () => void): Promise<Outcome<Line>> => {
    const deadline = new AbortController();
    const cancel = deps.schedule(deps.times.openMs, () => deadline.abort());
    try {
      const signal = AbortSignal.any([deadline.signal, closing]);
      const opened = await deps.open(record.count, signal);
      if (!opened.ok) return opened;
      const line = opened.value;
      line.onEnd(onEnd);
      const identified = await identify(line, signal);
      if (identified.ok) return opened;
      line.close();
      return deadline.signal.aborted ? bad('failed', 'did not accept a connection in time') : identified;
    } finally {
      cancel();
    }
  };
  const ready = (): Promise<Outcome<Line>> => {
    if (closing.aborted) return Promise.resolve(bad('failed', 'was closed'));
    if (opening !== null) return opening;
    const end = (): void => {
      if (opening === mine) opening = null;
    };
    const opened = open(end).catch((error: unknown) => bad('failed', quote(String(error))));
    const mine = opened.then((outcome) => {
      if (!outcome.ok) {
        end();
        deps.absent();
      }
      return outcome;
    });
    opening = mine;
    return mine;
  };
  return {
    ready,
    offers,
    isConfirmed,
    confirm,
    close: (): void => {
      void opening?.then((opened) => opened.ok && opened.value.close());
    },
  };
};
