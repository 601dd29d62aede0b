import { WebSocket } from 'ws';
import { type Connection, createConnection } from '../../src/connection.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { isPortNote } from '../../src/protocol/port.ts';
import type { McpArguments } from '../cli/mcp-arguments.ts';
import { openChainSource } from '../files/chain-source.ts';
import { startNodeThread } from '../thread/node-thread.ts';

/** The node that the tools use. */
export type NodeAccess = {
  /** Opens a new connection if the last one has ended. Rejects with `Disconnected`. */
  connect(): Promise<Connection>;
  /** The callback is called once if the tools' own node ends unexpectedly. */
  onDeath(callback: (error: NodeError) => void): void;
  stop(): Promise<void>;
};

/** Starts a node for these tools. */
export const startOwnNode = async (args: McpArguments['node']): Promise<NodeAccess> => {
  const { chain, storage } = await openChainSource(args);
  const { keys, seal, clock, finality, trustBlocks, statePruning } = args;
  const node = await startNodeThread({
    chain,
    storage,
    keys,
    seal,
    clock,
    finality,
    trustBlocks,
    statePruning,
    dialect: 'psp-6',
  });
  const connection = createConnection(await node.openPort({ dialect: 'psp-6', denyUnsafe: false }));
  return {
    connect: async () => connection,
    onDeath: node.onDeath,
    stop: async () => {
      connection.close();
      await node.stop();
    },
  };
};

/**
 * The method docs describe the results in the psp-6 dialect; another dialect must be requested explicitly.
 */
const withDialect = (url: string): string => {
  const address = new URL(url);
  if (!address.searchParams.has('dialect')) address.searchParams.set('dialect', 'psp-6');
  return address.href;
};

/** The largest response size that `serve` can be configured with. The tools truncate long results. */
const mostBytes = 256 * 1024 * 1024;

/** Timeouts, because the server at the address may hang or not be a node at all. */
type Patience = {
  /** Time for the connection to open. */
  readonly openMs: number;
  /** Interval between pings. After three without a response the connection is closed. */
  readonly pingMs: number;
};

const usualPatience: Patience = { openMs: 10_000, pingMs: 10_000 };
const maxUnanswered = 3;
/** Time for the node to close the connection. */
const closeTimeout = 1000;

const openSocket = (url: string, handshakeTimeout: number): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    // `closeTimeout` is not in the types.
    const options = { maxPayload: mostBytes, handshakeTimeout, closeTimeout };
    const socket = new WebSocket(url, options);
    socket.once('open', () => resolve(socket));
    // This listener stays: a later error is followed by a close event.
    socket.on('error', (cause) =>
      reject(new NodeError('Disconnected', `${url} cannot be reached: ${cause.message}`, { cause })),
    );
  });

/**
 * A call may take long, but a node that is working still answers pings. Calls `onSilent` if pings stay
 * unanswered.
 */
const watchSilence = (socket: WebSocket, pingMs: number, onSilent: () => void): void => {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === maxUnanswered) return onSilent();
    unanswered += 1;
    socket.ping();
  }, pingMs);
  const onActivity = (): void => {
    unanswered = 0;
  };
  socket.on('pong', onActivity).on('message', onActivity);
  socket.once('close', () => clearInterval(timer));
};

/** A JSON-RPC connection over a WebSocket. */
const connectTo = async (url: string, { openMs, pingMs }: Patience): Promise<Connection> => {
  const socket = await openSocket(withDialect(url), openMs);
  const { port1, port2 } = new MessageChannel();
  const connection = createConnection(port1);
  socket.on('message', (data: Uint8Array) => port2.postMessage(new TextDecoder().decode(data)));
  socket.once('close', () => connection.close(new NodeError('Disconnected', `${url} closed the connection`)));
  port2.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') socket.send(data);
    else if (isPortNote(data) && data.note === 'bye') port2.close();
  };
  connection.onClose(() => socket.close());
  watchSilence(socket, pingMs, () => {
    const text = `${url} has not responded for ${(maxUnanswered * pingMs) / 1000} s; it may still carry out what was sent`;
    connection.close(new NodeError('Disconnected', text));
    socket.terminate();
  });
  return connection;
};

/**
 * Access to a running node. The connection is opened on the first request, and again if it was lost or could
 * not be opened.
 */
export const reachNode = (url: string, patience = usualPatience): NodeAccess => {
  let connecting: Promise<Connection> | null = null;
  return {
    connect: () => {
      if (connecting !== null) return connecting;
      const begun = connectTo(url, patience);
      const forget = (): void => {
        if (connecting === begun) connecting = null;
      };
      begun.then((connection) => connection.onClose(forget), forget);
      connecting = begun;
      return begun;
    },
    onDeath: () => undefined,
    stop: async () => {
      const connection = await connecting?.catch(() => null);
      connection?.close();
    },
  };
};
