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
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { RpcSettings } from '../cli/rpc-settings.ts';
import { createLocalPorts } from '../server/local-ports.ts';
import { type OpenServers, openServers } from '../server/open-servers.ts';
import { type LogSettings, startNodeLog } from './node-log.ts';
import { unwrap, workerEntry } from './thread.ts';

/** A node that is served: its status and addresses. */
export type Served = { readonly info: StartInfo; readonly ws: string; readonly http: string };

/** The interface of the thread of `tabnode serve`, which runs the node and its servers. */
export type ServeControl = {
  start(
    config: NodeConfig,
    options: { readonly dialect: Dialect; readonly rpc: RpcSettings; readonly log: LogSettings | null },
  ): Promise<Outcome<Served>>;
  /** The pack of the node's fork (`dev_exportFork`). */
  exportFork(): Promise<Outcome<Uint8Array>>;
  /** Closes the servers, then the node's database. */
  stop(): Promise<Outcome<null>>;
};

const { control } = (await import(/* @vite-ignore */ new URL(workerEntry, import.meta.url).href)) as {
  readonly control: NodeControl;
};

let servers: OpenServers | null = null;

const start: ServeControl['start'] = async (config, options) => {
  try {
    const info = unwrap(await control.start(config));
    const openPort = async (options: ConnectOptions): Promise<MessagePort> => {
      const [near, far] = createLocalPorts();
      unwrap(await control.connect(far, options));
      return near;
    };
    if (options.log !== null)
      await startNodeLog(openPort, options.log, (line) => void process.stderr.write(`${line}\n`));
    servers = await openServers(openPort, options);
    return { ok: true, value: { info, ws: servers.ws, http: servers.http } };
  } catch (error) {
    await control.stop().catch(() => undefined);
    return { ok: false, error: errorToData(error) };
  }
};

const exportFork: ServeControl['exportFork'] = async () => {
  const [near, far] = createLocalPorts();
  try {
    unwrap(await control.connect(far, { dialect: 'polkadot-sdk', denyUnsafe: false }));
    const connection = createConnection(near);
    return { ok: true, value: hexToBytes(String(await connection.request('dev_exportFork', []))) };
  } catch (error) {
    return { ok: false, error: errorToData(error) };
  } finally {
    near.close();
  }
};

const stop: ServeControl['stop'] = async () => {
  try {
    await servers?.close();
    await control.stop();
    return { ok: true, value: null };
  } catch (error) {
    return { ok: false, error: errorToData(error) };
  }
};

if (parentPort !== null) expose({ start, exportFork, stop } satisfies ServeControl, nodeEndpoint(parentPort));
