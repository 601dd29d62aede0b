import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import type { HttpError, HttpStatus, OffchainHttpHost } from '../executor/extensions.ts';
import { type Answers, Waiting } from './answers.ts';
import type { RunClock } from './clock.ts';

type HttpDeps = {
  readonly fetch: typeof globalThis.fetch;
  /** Origins that requests may be sent to. */
  readonly allowed: readonly string[];
  readonly signal: AbortSignal;
  readonly clock: RunClock;
  readonly answers: Answers;
};

/** Limits of one run. */
const maxRequests = 64;
const maxSentBytes = 1 << 20;
const maxReceivedBytes = 4 << 20;

const [deadlineReached, ioError, invalid] = [1, 2, 3] as const satisfies readonly HttpError[];

type Received = { readonly status: number; readonly headers: readonly (readonly [Uint8Array, Uint8Array])[] };

type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly sent: Uint8Array[];
  phase: 'open' | 'closed';
  /** Resolves on progress: when headers or body have arrived, or the request has failed. */
  progress: Promise<unknown> | null;
  received: Received | null;
  body: Uint8Array | null;
  read: number;
  failed: boolean;
};

/** The origin must be on the list exactly; otherwise the worker gets `Err(())`. */
const isAllowed = (allowed: readonly string[], uri: string): boolean => {
  if (!URL.canParse(uri)) return false;
  const { protocol, origin } = new URL(uri);
  return (protocol === 'http:' || protocol === 'https:') && allowed.includes(origin);
};

const readAll = async (response: Response): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) return concatBytes(...parts);
    size += next.value.length;
    if (size > maxReceivedBytes) {
      await reader?.cancel();
      throw new RangeError('The response is too long');
    }
    parts.push(next.value);
  }
};

const toReceived = (response: Response): Received => ({
  status: response.status,
  headers: [...response.headers].map(([name, value]) => [textToBytes(name), textToBytes(value)] as const),
});

/**
 * A redirect is returned as the response and never followed, because it could lead to an origin that is not
 * on the list.
 */
const send = async ({ fetch, signal }: HttpDeps, request: Request): Promise<void> => {
  const body = concatBytes(...request.sent) as Uint8Array<ArrayBuffer>;
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(body.length === 0 ? {} : { body }),
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    if (response.status === 0) throw new TypeError('The browser hides where the redirect leads');
    request.received = toReceived(response);
    request.progress = readAll(response).then(
      (bytes) => {
        request.body = bytes;
      },
      () => {
        request.failed = true;
      },
    );
  } catch {
    request.failed = true;
  }
};

const close = (deps: HttpDeps, request: Request): void => {
  if (request.phase === 'closed') return;
  request.phase = 'closed';
  request.progress = send(deps, request);
};

const statusOf = (request: Request | undefined): HttpStatus => {
  if (request === undefined) return { kind: 'invalid' };
  if (request.received !== null) return { kind: 'finished', status: request.received.status };
  return { kind: request.failed ? 'io' : 'deadline' };
};

const createRequest = (method: string, url: string): Request | null => {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) return null;
  const state = {
    phase: 'open',
    progress: null,
    received: null,
    body: null,
    read: 0,
    failed: false,
  } as const;
  return { method, url, headers: new Headers(), sent: [], ...state };
};

const addHeader = (request: Request | undefined, name: string, value: string): boolean => {
  if (request?.phase !== 'open') return false;
  try {
    request.headers.append(name, value);
    return true;
  } catch {
    return false;
  }
};

/** Chunks are collected. The empty chunk, or the first wait, sends the request. */
const writeBody = (deps: HttpDeps, request: Request | undefined, chunk: Uint8Array): HttpError | null => {
  if (request?.phase !== 'open') return invalid;
  if (chunk.length === 0) close(deps, request);
  else request.sent.push(chunk.slice());
  const size = request.sent.reduce((sum, part) => sum + part.length, 0);
  return size > maxSentBytes ? ioError : null;
};

/** HTTP requests of one run of a worker, implemented with `fetch` (sc-offchain's http.rs). */
export const createHttp = (deps: HttpDeps): OffchainHttpHost => {
  const { answers, clock } = deps;
  const requests = new Map<number, Request>();
  let lastId = 0;
  const isOver = (deadline: bigint | null): boolean =>
    deadline !== null && BigInt(Math.trunc(clock.now())) >= deadline;
  const wait = (work: Promise<unknown> | null, deadline: bigint | null): never => {
    throw new Waiting(clock.until(deadline === null ? null : Number(deadline), work ?? Promise.resolve()));
  };

  const waitFor = (ids: readonly number[], deadline: bigint | null): HttpStatus[] => {
    for (const id of ids) {
      const request = requests.get(id);
      if (request !== undefined) close(deps, request);
    }
    const statuses = ids.map((id) => statusOf(requests.get(id)));
    const open = ids.filter((_id, at) => statuses[at]?.kind === 'deadline');
    if (open.length > 0 && !isOver(deadline))
      wait(Promise.all(open.map((id) => requests.get(id)?.progress)), deadline);
    for (const [at, id] of ids.entries()) if (statuses[at]?.kind === 'io') requests.delete(id);
    return statuses;
  };

  const readBody = (id: number, maxBytes: number, deadline: bigint | null): Uint8Array | HttpError => {
    const request = requests.get(id);
    if (request === undefined || request.phase === 'open') return invalid;
    if (request.failed) {
      requests.delete(id);
      return ioError;
    }
    if (request.body === null) return isOver(deadline) ? deadlineReached : wait(request.progress, deadline);
    const part = request.body.slice(request.read, request.read + maxBytes);
    request.read += part.length;
    if (part.length === 0) requests.delete(id);
    return part;
  };

  return {
    start: (method, uri) =>
      answers.now(() => {
        const request = isAllowed(deps.allowed, uri) ? createRequest(method, uri) : null;
        if (request === null || lastId >= maxRequests) return null;
        requests.set(++lastId, request);
        return lastId;
      }),
    addHeader: (id, name, value) => answers.now(() => addHeader(requests.get(id), name, value)),
    writeBody: (id, chunk) => answers.now(() => writeBody(deps, requests.get(id), chunk)),
    wait: (ids, deadline) => answers.now(() => waitFor(ids, deadline)),
    headers: (id) => answers.now(() => [...(requests.get(id)?.received?.headers ?? [])]),
    readBody: (id, maxBytes, deadline) => answers.now(() => readBody(id, maxBytes, deadline)),
  };
};
