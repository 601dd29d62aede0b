import { type Connection, createConnection } from './connection.ts';
import { NodeError } from './protocol/errors.ts';
import { maxRequestBytes } from './protocol/limits.ts';
import type { NodeStatus, StartInfo } from './protocol/node.ts';
import { markingOf } from './protocol/rpc/define.ts';
import { entryOf } from './protocol/rpc/index.ts';
import { openSocket, readAddress, toPort } from './remote-socket.ts';
import { readStatus } from './remote-status.ts';
import type { TabNode } from './tab-node.ts';

/** A node in another process, connected over a WebSocket. It cannot be stopped from here. */
export type RemoteNode = Pick<TabNode, 'info' | 'connection' | 'connect' | 'openPort' | 'status'> & {
  readonly url: string;
  /** `system_name` and `system_version`, as far as the node reports them. */
  readonly software: string;
  /** The methods that the node lists (`rpc_methods`) and this page may call; null if it does not list any. */
  readonly methods: ReadonlySet<string> | null;
};

const openPort = async (url: URL): Promise<MessagePort> => toPort(await openSocket(url));

/** Nodes refuse longer requests without saying which, so they are not sent. */
const open = async (url: URL): Promise<Connection> =>
  createConnection(await openPort(url), { maxRequestBytes });

const isUnsafe = (method: string): boolean => {
  const entry = entryOf(method);
  return entry !== undefined && markingOf(entry, 'psp-6') === 'unsafe';
};

type Offered = {
  readonly methods: RemoteNode['methods'];
  /** Of a fork. */
  readonly base?: StartInfo['base'] | undefined;
};

/** Nodes list unsafe methods even for pages that may not call them, so this tries whether this page may. */
const readMethods = async ({ request }: Connection): Promise<Offered> => {
  const { methods } = (await request('rpc_methods', [])) as { readonly methods: readonly string[] };
  if (!methods.includes('dev_status')) return { methods: new Set(methods) };
  const status = (await request('dev_status', []).catch(() => null)) as NodeStatus | null;
  if (status === null) return { methods: new Set(methods.filter((method) => !isUnsafe(method))) };
  const isBase = Number.isSafeInteger(status.base?.number);
  return { methods: new Set(methods), base: isBase ? status.base : undefined };
};

type Facts = Pick<RemoteNode, 'info' | 'software' | 'methods'>;

/** Loads the node's identity; rejects if it does not respond like a Polkadot SDK node. */
const readFacts = async (connection: Connection): Promise<Facts> => {
  const { request } = connection;
  const optional = (method: string): Promise<unknown> => request(method, []).catch(() => null);
  const header = async (hash: string): Promise<number> => {
    const { number } = (await request('chain_getHeader', [hash])) as { readonly number: string };
    return Number(number);
  };
  const [chainName, genesisHash, bestHash, finalizedHash, name, version, offered] = await Promise.all([
    request('system_chain', []) as Promise<string>,
    request('chain_getBlockHash', [0]) as Promise<string>,
    request('chain_getBlockHash', []) as Promise<string>,
    request('chain_getFinalizedHead', []) as Promise<string>,
    optional('system_name'),
    optional('system_version'),
    readMethods(connection).catch((): Offered => ({ methods: null })),
  ]);
  if (!/^0x[0-9a-f]{64}$/.test(genesisHash)) throw new TypeError('The genesis hash is none.');
  const [bestNumber, finalizedNumber] = await Promise.all([header(bestHash), header(finalizedHash)]);
  const { methods, base } = offered;
  const info = { chainName: String(chainName), genesisHash, bestHash, bestNumber, finalizedNumber };
  return {
    info: base === undefined ? info : { ...info, base },
    software: [name, version].filter((part) => typeof part === 'string').join(' '),
    methods,
  };
};

/** Like `readFacts`, with errors that say what to do; closes the connection on failure. */
const identify = async (connection: Connection, { href }: URL): Promise<Facts> => {
  try {
    return await readFacts(connection);
  } catch (cause) {
    const isLost = !connection.isOpen();
    connection.close();
    throw isLost
      ? new NodeError('Disconnected', `${href} closed the connection: try again later.`, { cause })
      : new NodeError(
          'Unsupported',
          `${href} is not a Polkadot SDK node: it does not tell its chain and blocks. Check the address.`,
          { cause },
        );
  }
};

/**
 * Connects to the JSON-RPC server of a running node. Rejects with `BadConfig` for an invalid address,
 * `NotAllowed` if the page may not connect, `Disconnected` if nothing responds, and `Unsupported` if it is
 * not a Polkadot SDK node; each message is one sentence that says what to do.
 */
export const openRemote = async (address: string): Promise<RemoteNode> => {
  const url = readAddress(address);
  const connection = await open(url);
  const facts = await identify(connection, url);
  return {
    ...facts,
    url: url.href,
    connection,
    connect: () => open(url),
    openPort: () => openPort(url),
    status: async () => {
      if (facts.methods?.has('dev_status') === false)
        throw new NodeError('Unsupported', 'This node does not report its status: it has no dev_status.');
      return readStatus(await connection.request('dev_status', []));
    },
  };
};
