import { transfer } from 'comlink';
import { type Begun, openPortOf, orAborted, unwrap } from './begin.ts';
import { createClient, type RpcClient } from './client.ts';
import { type Connection, createConnection } from './connection.ts';
import { NodeError } from './protocol/errors.ts';
import type { ConnectOptions, NodeStatus, StartInfo } from './protocol/node.ts';

/** A saved state of the node to restore; created by `snapshot`. */
export type Snapshot = Awaited<ReturnType<RpcClient['dev_snapshot']>>;

export type TabNode = {
  readonly info: StartInfo;
  /** Every method of the node, typed. */
  readonly rpc: RpcClient;
  /** The connection used by `rpc`, for calling methods by name. */
  readonly connection: Connection;
  /** Another connection, with its own dialect, subscriptions and limits. */
  connect(options?: Partial<ConnectOptions>): Promise<Connection>;
  /**
   * Opens a raw port, for programs that forward JSON-RPC texts elsewhere; a message is a text or a list of
   * texts.
   */
  openPort(options?: Partial<ConnectOptions>): Promise<MessagePort>;
  /** Saves head, pool and clock under a name (`dev_snapshot`). */
  snapshot(name: string): Promise<Snapshot>;
  /** Restores a snapshot, given as the object or by name; everything that happened since is lost. */
  restore(snapshot: Snapshot | string): Promise<void>;
  /**
   * Hands the node a port whose other end is another node's; `connectNodes` does so for two. Returns the
   * function that cuts the link. Rejects with `Unsupported` where another tab runs the node.
   */
  openLink(port: MessagePort): Promise<() => Promise<void>>;
  status(): Promise<NodeStatus>;
  /** Closes the node and its connections; may be called twice. */
  stop(): Promise<void>;
};

type Alive = Begun & { readonly connections: Set<Connection> };

const connectBy = ({ connections }: Alive, port: MessagePort): Connection => {
  const connection = createConnection(port);
  connections.add(connection);
  connection.onClose(() => connections.delete(connection));
  return connection;
};

export const savesOf = (rpc: RpcClient): Pick<TabNode, 'snapshot' | 'restore'> => ({
  snapshot: (name) => rpc.dev_snapshot({ name }),
  restore: async (snapshot) => {
    await rpc.dev_restore({ name: typeof snapshot === 'string' ? snapshot : snapshot.name });
  },
});

/** The client of a node that was told to start. */
export const finishStart = async (begun: Begun): Promise<TabNode> => {
  const { control, ended, end } = begun;
  const connections = new Set<Connection>();
  const alive: Alive = { ...begun, connections };
  ended.addEventListener('abort', () => {
    for (const connection of [...connections]) connection.close(ended.reason as NodeError);
  });
  try {
    const { info, defaults, port } = await begun.started;
    const openPort: TabNode['openPort'] = (choice = {}) =>
      openPortOf(control, { ...defaults, ...choice }, ended);
    const connection = connectBy(alive, port);
    const rpc = createClient(connection);
    return {
      info,
      connection,
      rpc,
      openPort,
      ...savesOf(rpc),
      openLink: async (port) => {
        const link = unwrap(await orAborted(control.link(transfer(port, [port])), ended));
        return async () => {
          // A node that has ended no longer has links.
          if (!ended.aborted) await orAborted(control.unlink(link), ended).catch(() => undefined);
        };
      },
      connect: async (choice) => connectBy(alive, await openPort(choice)),
      status: async () => unwrap(await orAborted(control.status(), ended)),
      stop: async () => {
        if (ended.aborted) return;
        for (const open of [...connections]) open.close();
        await orAborted(control.stop(), ended).catch(() => undefined);
        end(new NodeError('Disconnected', 'The node was stopped'));
      },
    };
  } catch (error) {
    end(error instanceof NodeError ? error : new NodeError('Disconnected', undefined, { cause: error }));
    throw error;
  }
};
