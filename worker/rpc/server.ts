import { NodeError } from '../../src/protocol/errors.ts';
import type { ConnectOptions as PortOptions } from '../../src/protocol/node.ts';
import type { RpcTable } from '../../src/protocol/rpc/define.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { version } from '../../src/protocol/version.ts';
import { type Pace, startPace as startSlices } from '../tasks/pace.ts';
import { type Connect, type Connection, createConnection } from './connection/connection.ts';
import { createNotificationWriter } from './connection/envelope.ts';
import { servePort } from './connection/port.ts';
import { type RateClock, systemClock } from './connection/rate-limit.ts';
import { createResultSizes } from './connection/result-window.ts';
import { randomId } from './connection/subscriptions.ts';
import { createTraffic } from './connection/traffic.ts';
import { type CustomTable, describeCustom } from './custom.ts';
import { createHandlers } from './methods/index.ts';
import type { RpcParts } from './parts.ts';

export type RpcServer = {
  readonly connect: Connect;
  /** Serves a client over a port until it sends `bye`, its lock is released, or the server closes. */
  connectPort(port: MessagePort, options: PortOptions): void;
  close(): void;
};

export type RpcServerOptions = {
  readonly name?: string;
  readonly version?: string;
  /** The text of the OpenRPC document. */
  readonly loadOpenRpc?: () => Promise<string>;
  /** Methods of the embedding program. */
  readonly custom?: CustomTable | undefined;
  readonly createId?: () => string;
  readonly clock?: RateClock;
  readonly startPace?: () => Pace;
  /** Called after each text from a client's port, because the next one may follow soon. */
  readonly stayAwake?: (() => void) | undefined;
};

const noCustom: CustomTable = new Map();
const noOpenRpc = (): Promise<string> =>
  Promise.reject(new NodeError('BadConfig', 'This server was started without its OpenRPC document'));

/** The JSON-RPC server: one method table for any number of connections. */
export const createRpcServer = (parts: RpcParts, options: RpcServerOptions = {}): RpcServer => {
  const { custom = noCustom, loadOpenRpc = noOpenRpc } = options;
  const routes = createRoutes(rpcTable as RpcTable);
  const clock = options.clock ?? systemClock;
  const traffic = createTraffic(routes, clock);
  const handlers = createHandlers(parts, {
    name: options.name ?? 'Tabnode',
    version: options.version ?? version,
    describe: async () => describeCustom(await loadOpenRpc(), custom),
    traffic,
    now: clock.now,
  });
  const methods = [...routes.keys(), ...custom.keys()].sort();
  const { createId = randomId, startPace = startSlices } = options;
  const writeNotification = createNotificationWriter();
  const sizes = createResultSizes();
  let lastNumber = 0;
  const open = new Set<Connection>();
  const connect: Connect = (send, settings, sendAll) => {
    const transmit = sendAll === undefined ? { send } : { send, sendAll };
    const number = ++lastNumber;
    const { transport, dialect } = settings;
    const tap = traffic.join({ connection: number, transport, dialect });
    const connection = createConnection(
      {
        routes,
        custom,
        handlers,
        methods,
        createId,
        transmit,
        clock,
        number,
        tap,
        writeNotification,
        sizes,
        startPace,
      },
      settings,
    );
    const tracked: Connection = {
      ...connection,
      close: () => {
        if (open.delete(tracked)) tap.closed();
        connection.close();
      },
    };
    open.add(tracked);
    return tracked;
  };
  return {
    connect,
    connectPort: (port, settings) =>
      servePort(connect, port, settings, options.stayAwake ?? (() => undefined)),
    close: () => {
      for (const connection of [...open]) connection.close();
    },
  };
};
