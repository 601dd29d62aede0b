import { parentPort } from 'node:worker_threads';
import { expose } from 'comlink';
import { createConnection } from '../../src/connection.ts';
import { errorToData } from '../../src/protocol/errors.ts';
import type {
  ConnectOptions,
  Dialect,
  NodeConfig,
  NodeControl,
  Outcome,
  StartInfo,
} from '../../src/protocol/node.ts';
import { nodeEndpoint } from '../../src/protocol/port.ts';
import type { RpcSettings } from '../cli/rpc-settings.ts';
import type { ListenForm } from '../network/addresses.ts';
import { type OpenPeers, openPeers, openSockets } from '../network/open-network.ts';
import { createLocalPorts } from '../server/local-ports.ts';
import { type OpenServers, openServers } from '../server/open-servers.ts';
import { type LogSettings, startNodeLog } from './node-log.ts';
import { toNodeError } from './refusal.ts';
import { unwrap, workerEntry } from './thread.ts';

/** The addresses of a node that is served. */
export type Addresses = {
  readonly ws: string;
  readonly http: string;
  /** Null: the node takes part in no network. */
  readonly peerId: string | null;
  /** Multiaddrs under which other nodes reach it, each with its peer id. */
  readonly addresses: readonly string[];
};

/** A node that is served: its status and addresses. */
export type Served = Addresses & { readonly info: StartInfo };

/** The interface of the thread of `tabnode serve`, which runs the node and its servers. */
export type ServeControl = {
  start(config: NodeConfig, log: LogSettings | null): Promise<Outcome<StartInfo>>;
  /** Serves the node. */
  open(options: {
    readonly dialect: Dialect;
    readonly rpc: RpcSettings;
    readonly listen: readonly ListenForm[];
  }): Promise<Outcome<Addresses>>;
  /** Calls a JSON-RPC method of the node, unsafe ones included. */
  call(method: string, params: readonly unknown[]): Promise<Outcome<unknown>>;
  /** Closes the servers, then the node's database. */
  stop(): Promise<Outcome<null>>;
};

const { control } = (await import(/* @vite-ignore */ new URL(workerEntry, import.meta.url).href)) as {
  readonly control: NodeControl;
};

let servers: OpenServers | null = null;
let peers: OpenPeers | null = null;
let isInNetwork = false;

const openPort = async (options: ConnectOptions): Promise<MessagePort> => {
  const [near, far] = createLocalPorts();
  unwrap(await control.connect(far, options));
  return near;
};

const start: ServeControl['start'] = async (config, log) => {
  try {
    isInNetwork = config.network !== undefined;
    // A node may join a network later.
    const info = unwrap(await control.start({ ...config, sockets: openSockets() }));
    if (log !== null) await startNodeLog(openPort, log, (line) => void process.stderr.write(`${line}\n`));
    return { ok: true, value: info };
  } catch (error) {
    await control.stop().catch(() => undefined);
    return { ok: false, error: errorToData(error) };
  }
};

const open: ServeControl['open'] = async (options) => {
  try {
    servers = await openServers(openPort, options);
    const { ws, http } = servers;
    if (!isInNetwork) return { ok: true, value: { ws, http, peerId: null, addresses: [] } };
    peers = await openPeers(control, options.listen);
    const peerId = unwrap(await call('system_localPeerId', [])) as string;
    const addresses = peers.addresses.map((address) => `${address}/p2p/${peerId}`);
    return { ok: true, value: { ws, http, peerId, addresses } };
  } catch (error) {
    return { ok: false, error: errorToData(error) };
  }
};

const call: ServeControl['call'] = async (method, params) => {
  const near = await openPort({ dialect: 'polkadot-sdk', denyUnsafe: false });
  try {
    return { ok: true, value: await createConnection(near).request(method, params) };
  } catch (error) {
    return { ok: false, error: errorToData(toNodeError(error)) };
  } finally {
    near.postMessage({ note: 'bye' });
    near.close();
  }
};

const stop: ServeControl['stop'] = async () => {
  try {
    await peers?.close();
    await servers?.close();
    await control.stop();
    return { ok: true, value: null };
  } catch (error) {
    return { ok: false, error: errorToData(error) };
  }
};

if (parentPort !== null) expose({ start, open, call, stop } satisfies ServeControl, nodeEndpoint(parentPort));
