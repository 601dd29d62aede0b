import { WebSocket } from 'ws';
import { startServe } from '../../bridge/clients/test-process.fixture.ts';
import { type Connection, createConnection } from '../../src/connection.ts';
import { runConformance } from './suite.ts';
import type { Role, World } from './world.ts';

type Served = Awaited<ReturnType<typeof startServe>>;

const flags: Readonly<Record<Role, readonly string[]>> = {
  open: ['--tx-ban-seconds', '0'],
  denied: ['--rpc-methods', 'safe'],
  narrow: ['--pool-limit', '1', '--tx-ban-seconds', '0'],
  banning: ['--tx-ban-seconds', '1800'],
};

/** Adapts a WebSocket to a port for the client. The socket's control messages are not passed on. */
const toPort = (socket: WebSocket): MessagePort => {
  const port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: (data: unknown) => {
      if (typeof data === 'string') socket.send(data);
    },
    addEventListener: (name: string, listener: () => void) => socket.on(name, listener),
    close: () => socket.close(),
  };
  socket.on('message', (data: Uint8Array) => port.onmessage?.({ data: new TextDecoder().decode(data) }));
  return port as unknown as MessagePort;
};

const connectTo = (address: string): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.once('error', reject);
    socket.once('open', () => resolve(createConnection(toPort(socket))));
  });

const open = async (): Promise<World> => {
  const nodes = new Map<Role, Promise<Served>>();
  const connections = new Map<Role, Promise<Connection>>();
  const start = (role: Role): Promise<Served> => {
    const node =
      nodes.get(role) ?? startServe('--dev', '--seal', 'manual', '--finality', 'manual', ...flags[role]);
    nodes.set(role, node);
    return node;
  };
  return {
    connect: (role) => {
      const connection = connections.get(role) ?? start(role).then(({ ready }) => connectTo(ready.ws));
      connections.set(role, connection);
      return connection;
    },
    http: async (role, method, params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const { http } = (await start(role)).ready;
      return (await fetch(http, { method: 'POST', headers, body })).json();
    },
    close: async () => {
      for (const connection of connections.values()) (await connection).close();
      for (const node of nodes.values()) (await node).kill('SIGTERM');
      for (const node of nodes.values()) await (await node).ended;
    },
  };
};

runConformance('WebSocket', open);
