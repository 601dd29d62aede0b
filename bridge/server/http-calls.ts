import type { Socket } from 'node:net';
import type { ConnectOptions, DenyUnsafe, Dialect } from '../../src/protocol/node.ts';
import {
  type NumberedAnswer,
  type NumberedText,
  onPortMessage,
  type PortNote,
} from '../../src/protocol/port.ts';
import type { OpenPort, PortClient } from './local-ports.ts';
import { goneText, LostCall, lateText } from './pending-calls.ts';

/**
 * What identifies a caller: its dialect, its rights, the node it calls and, with a rate limit, its socket,
 * because the limit applies per socket.
 */
export type HttpCaller = {
  readonly dialect: Dialect;
  readonly denyUnsafe: DenyUnsafe;
  /** The node's name; empty if there is only one node. */
  readonly node: string;
  readonly rate: { readonly callsPerMinute: number; readonly socket: Socket } | null;
};

/** Handles one HTTP body. Returns null if it held only notifications; rejects with a `LostCall` if the page is gone. */
export type HttpCalls = {
  call(caller: HttpCaller, text: string): Promise<string | null>;
  close(): void;
};

type HttpPort = {
  call(text: string): Promise<string | null>;
  leave(): void;
};

const bye: PortNote = { note: 'bye' };

/** `onGone` is called when the node closes the port. `withinMs`: how long a page's node may take for a response. */
const createHttpPort = (
  opening: Promise<MessagePort>,
  withinMs: number | null,
  onGone: () => void,
): HttpPort => {
  const pending = new Map<number, PromiseWithResolvers<string | null>>();
  const newGone = (): Error =>
    withinMs === null ? new Error('The node is gone') : new LostCall(503, goneText);
  let lastId = 0;
  const open = opening.then((port) => {
    onPortMessage(port, (data) => {
      const { id, text } = data as NumberedAnswer;
      pending.get(id)?.resolve(text);
      pending.delete(id);
    });
    port.addEventListener('close', () => {
      onGone();
      for (const waiting of pending.values()) waiting.reject(newGone());
      pending.clear();
    });
    return port;
  });
  open.catch(onGone);
  return {
    call: async (text) => {
      const port = await open.catch(() => {
        throw newGone();
      });
      lastId += 1;
      const id = lastId;
      const waiting = Promise.withResolvers<string | null>();
      pending.set(id, waiting);
      port.postMessage({ id, text } satisfies NumberedText);
      if (withinMs === null) return waiting.promise;
      const timer = setTimeout(() => {
        pending.delete(id);
        waiting.reject(new LostCall(504, lateText));
      }, withinMs);
      return waiting.promise.finally(() => clearTimeout(timer));
    },
    leave: () => {
      open.then((port) => port.postMessage(bye)).catch(() => undefined);
      // No client is left to read the results.
      for (const waiting of pending.values()) waiting.resolve(null);
      pending.clear();
    },
  };
};

/** Ports by node, dialect and rights. */
type HttpPorts = Map<string, HttpPort>;

/**
 * HTTP requests to the same node with the same dialect and rights share one port. Each request and its
 * response carry the same number. A rate-limited socket has ports of its own.
 */
export const createHttpCalls = (
  open: OpenPort,
  options: Pick<ConnectOptions, 'limits'> & { readonly withinMs?: number | null },
): HttpCalls => {
  const shared: HttpPorts = new Map();
  const own = new Map<Socket, HttpPorts>();

  const portsOf = (rate: HttpCaller['rate']): HttpPorts => {
    if (rate === null) return shared;
    const { socket } = rate;
    const found = own.get(socket);
    if (found !== undefined) return found;
    const ports: HttpPorts = new Map();
    own.set(socket, ports);
    socket.once('close', () => {
      own.delete(socket);
      for (const port of ports.values()) port.leave();
    });
    return ports;
  };
  const openPort = ({ dialect, denyUnsafe, rate, node }: HttpCaller, onGone: () => void): HttpPort => {
    const limits = { ...options.limits, callsPerMinute: rate?.callsPerMinute ?? null };
    const client: PortClient = { transport: 'http', origin: null, agent: null, node };
    const opening = open({ dialect, denyUnsafe, limits, transport: 'http' }, client);
    return createHttpPort(opening, options.withinMs ?? null, onGone);
  };

  return {
    call: (caller, text) => {
      const ports = portsOf(caller.rate);
      const key = `${caller.dialect} ${caller.denyUnsafe} ${caller.node}`;
      const found = ports.get(key);
      if (found !== undefined) return found.call(text);
      const port = openPort(caller, () => {
        if (ports.get(key) === port) ports.delete(key);
      });
      ports.set(key, port);
      return port.call(text);
    },
    close: () => {
      for (const ports of [shared, ...own.values()]) for (const port of ports.values()) port.leave();
      shared.clear();
      own.clear();
    },
  };
};
