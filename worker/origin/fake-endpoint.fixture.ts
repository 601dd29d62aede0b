import { afterEach } from 'vitest';
import type { Origin } from '../chain/origin.ts';
import { type LiveChain, Refused } from './live-chain.fixture.ts';
import { createOrigin, type OriginDeps, type OriginEndpoint, type OriginOptions } from './origin.ts';
import { createVirtualTime, inNextTurn } from './virtual-time.fixture.ts';

export type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

/** What a fake endpoint does with a call before it answers. */
export type Behavior = {
  /** Changes the result; throws a `Refused` for an error. */
  result?(call: Call, honest: () => unknown): unknown;
  /** Changes the text of the answer; null: there is none. */
  text?(call: Call, text: string): string | null;
};

/** An endpoint in this process: a provider over a live chain that may misbehave. */
export const createFakeEndpoint = (name: string, chain: LiveChain, first: Behavior = {}) => {
  const calls: Call[] = [];
  const open = new Set<(message: string) => void>();
  const feeds = new Map<string, (message: string) => void>();
  let behavior = first;
  let connections = 0;
  let lastFeed = 0;
  const subscribe = (call: Call, onMessage: (message: string) => void): string | null => {
    if (!call.method.includes('ubscribe') && !call.method.startsWith('archive_v1_storageDiff')) return null;
    lastFeed += 1;
    const id = `feed ${call.method} ${lastFeed}`;
    feeds.set(id, onMessage);
    return id;
  };
  const answer = (call: Call, onMessage: (message: string) => void): string => {
    const { id, method, params } = call;
    const honest = (): unknown => {
      if (method in chain.methods) return chain.handle(method, params);
      return subscribe(call, onMessage) ?? chain.handle(method, params);
    };
    try {
      const result = behavior.result === undefined ? honest() : behavior.result(call, honest);
      return JSON.stringify({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, message, data } = error;
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
    }
  };
  const endpoint: OriginEndpoint = {
    name,
    provider: (onMessage) => {
      connections += 1;
      open.add(onMessage);
      return {
        send: (text: string) => {
          const call = JSON.parse(text) as Call;
          calls.push(call);
          inNextTurn(() => {
            const honest = answer(call, onMessage);
            const problems = behavior.text === undefined ? honest : behavior.text(call, honest);
            if (problems !== null && open.has(onMessage)) onMessage(problems);
          });
        },
        disconnect: () => {
          open.delete(onMessage);
        },
      };
    },
  };
  return {
    endpoint,
    calls,
    connections: () => connections,
    /** How often a method was called. */
    count: (method: string): number => calls.filter((call) => call.method === method).length,
    become: (next: Behavior): void => {
      behavior = next;
    },
    /** Sends an item to all subscriptions of a method. */
    notify: (method: string, result: unknown): void => {
      for (const [id, send] of feeds)
        if (id.startsWith(`feed ${method} `))
          send(JSON.stringify({ jsonrpc: '2.0', method: 'item', params: { subscription: id, result } }));
    },
    feeds: (method: string): number =>
      [...feeds.keys()].filter((id) => id.startsWith(`feed ${method} `)).length,
  };
};

export type FakeEndpoint = ReturnType<typeof createFakeEndpoint>;

const noNetwork = (): never => {
  throw new Error('This test has no network');
};

/** An origin over endpoints in this process, in virtual time. */
export const openOrigin = (
  chain: LiveChain,
  endpoints: readonly (FakeEndpoint | OriginEndpoint)[],
  { deps = {}, ...options }: Partial<OriginOptions> & { readonly deps?: Partial<OriginDeps> } = {},
) => {
  const time = createVirtualTime();
  const errors: unknown[] = [];
  const origin = createOrigin(
    {
      blake2b256: chain.crypto.blake2b256,
      now: time.now,
      schedule: time.schedule,
      fetch: noNetwork as unknown as OriginDeps['fetch'],
      WebSocket: noNetwork as unknown as OriginDeps['WebSocket'],
      onError: (error) => errors.push(error),
      ...deps,
    },
    {
      ...options,
      endpoints: endpoints.map((one) => (typeof one === 'object' && 'calls' in one ? one.endpoint : one)),
    },
  );
  return { origin, time, errors, until: time.until };
};

/** The same, closed after each test of the file. */
export const openOrigins = (): typeof openOrigin => {
  const opened: { readonly origin: Origin }[] = [];
  afterEach(() => {
    for (const { origin } of opened.splice(0)) origin.close();
  });
  return (...args) => {
    const rig = openOrigin(...args);
    opened.push(rig);
    return rig;
  };
};
