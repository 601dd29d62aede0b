import type { Socket } from 'node:net';
import { hear } from '../src/protocol/hear.ts';
import type { ConnectOptions, DenyUnsafe, Dialect } from '../src/protocol/node.ts';
import type { NumberedAnswer, NumberedText, PortNote } from '../src/protocol/port.ts';
import type { OpenPort, PortClient } from './local-ports.ts';

/**
 * The caller: its dialect, its rights, the node it calls and, if calls are rate-limited, its socket, because the
 * limit applies per socket.
 */
export type HttpCaller = {
  readonly dialect: Dialect;
  readonly denyUnsafe: DenyUnsafe;
  /** Its name; empty where there is one only. */
  readonly node: string;
  readonly rate: { readonly callsPerMinute: number; readonly socket: Socket } | null;
};

/** Handles one HTTP body. Returns null if it held only notifications. */
export type HttpCalls = {
  call(caller: HttpCaller, text: string): Promise<string | null>;
  close(): void;
};

type HttpPort = {
  call(text: string): Promise<string | null>;
  leave(): void;
};

const bye: PortNote = { note: 'bye' };

/** `onGone` is called when the node closes the port. */
const createHttpPort = (opening: Promise<MessagePort>, onGone: () => void): HttpPort => {
  const pending = new Map<number, PromiseWithResolvers<string | null>>();
  let lastId = 0;
  const open = opening.then((port) => {
    hear(port, (data) => {
      const { id, text } = data as NumberedAnswer;
      pending.get(id)?.resolve(text);
      pending.delete(id);
    });
    port.addEventListener('close', () => {
      onGone();
      for (const waiting of pending.values()) waiting.reject(new Error('The node is gone'));
      pending.clear();
    });
    return port;
  });
  open.catch(onGone);
  return {
    call: async (text) => {
      const port = await open;
      lastId += 1;
      const waiting = Promise.withResolvers<string | null>();
      pending.set(lastId, waiting);
      port.postMessage({ id: lastId, text } satisfies NumberedText);
      return waiting.promise;
    },
    leave: () => {
      open.then((port) => port.postMessage(bye)).catch(() => undefined);
      // Nobody is there to read them.
      for (const waiting of pending.values()) waiting.resolve(null);
      pending.clear();
    },
  };
};

/** Ports by dialect and rights. */
type HttpPorts = Map<string, HttpPort>;

/**
 * All HTTP requests to a node with the same dialect and rights share one port, on which each text and its response
 * carry a number. A rate-limited socket has its own ports.
 */
export const createHttpCalls = (open: OpenPort, options: Pick<ConnectOptions, 'limits'>): HttpCalls => {
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
    return createHttpPort(open({ dialect, denyUnsafe, limits, transport: 'http' }, client), onGone);
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
