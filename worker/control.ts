import { errorToData, NodeError } from '../src/protocol/errors.ts';
import type {
  ImportedBlocks,
  NodeConfig,
  NodeControl,
  Outcome,
  RepairReport,
  StartInfo,
} from '../src/protocol/node.ts';
import { createClosers } from './closers.ts';
import { type Loading, prepareLoading } from './loading.ts';
import { createNode, type Node } from './node.ts';
import type { Platform } from './platform.ts';
import type { repairChain } from './repair.ts';
import type { RpcServer } from './rpc/server.ts';

/** Returns a failure as data. */
export const outcome = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: errorToData(error) };
  }
};

const noop = (): void => undefined;

type Running = { readonly node: Node; readonly server: RpcServer; readonly close: () => Promise<void> };

/** The method table and its handlers, a third of the code, are loaded while the chain opens. */
const loadRpc = () => Promise.all([import('./rpc/server.ts'), import('./rpc/custom.ts')]);

type Rpc = Awaited<ReturnType<typeof loadRpc>>;

const open = async (
  platform: Platform,
  config: NodeConfig,
  rpc: Promise<Rpc>,
  loading: Loading | undefined,
): Promise<Running> => {
  const hasCustom = config.rpcModules !== undefined || config.rpcPage !== undefined;
  const custom = hasCustom ? await (await rpc)[1].openCustomMethods(config) : undefined;
  const node = await createNode(platform, config, loading);
  const closers = createClosers();
  closers.add(node.close);
  try {
    const { loadOpenRpc, stayAwake } = platform;
    const [{ createRpcServer }] = await rpc;
    const server = createRpcServer(node.parts, { loadOpenRpc, custom, stayAwake });
    closers.add(server.close);
    return { node, server, close: closers.closeAll };
  } catch (error) {
    await closers.closeAll().catch(platform.onError);
    throw error;
  }
};

const importBlocks = async (
  { importBlock }: Node,
  blocks: readonly Uint8Array[],
  chainTimeMs?: number,
): Promise<ImportedBlocks> => {
  const hashes: string[] = [];
  const badJustifications: string[] = [];
  try {
    for (const block of blocks) {
      const { hash, badJustification } = await importBlock(block, chainTimeMs);
      hashes.push(hash);
      if (badJustification !== undefined) badJustifications.push(badJustification);
    }
    return { hashes, badJustifications, refusal: null };
  } catch (error) {
    return { hashes, badJustifications, refusal: errorToData(error) };
  }
};

type Linking = Pick<NodeControl, 'link' | 'unlink' | 'acceptPeer' | 'listensOn'>;

const createLinking = (need: () => Node): Linking => ({
  link: (port) => outcome(async () => need().parts.network.link(port)),
  unlink: (link) =>
    outcome(async () => {
      await need().parts.network.unlink(link);
      return null;
    }),
  acceptPeer: (port, host) =>
    outcome(async () => {
      await need().parts.network.accept(port, host);
      return null;
    }),
  listensOn: (addresses) =>
    outcome(async () => {
      need().parts.localPeer.listen(addresses);
      return null;
    }),
});

/** Each state holds the promise that the next one waits for. */
type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly opening: Promise<Running> }
  | { readonly kind: 'running'; readonly running: Running }
  | { readonly kind: 'stopping'; readonly closing: Promise<void> }
  | { readonly kind: 'repairing'; readonly repair: Promise<RepairReport> };

const stateTexts = {
  starting: 'is starting',
  running: 'is running',
  stopping: 'is being stopped',
  repairing: 'is being repaired',
} as const;

/** Parts that are loaded ahead of the start that uses them. */
const createLoads = (platform: Platform) => {
  const rpc = loadRpc();
  // Prevents an unhandled rejection; the awaiting caller reports the error.
  rpc.catch(noop);
  let loading: Loading | undefined;
  return {
    rpc,
    prepare: async (chain: NodeConfig['chain']): Promise<void> => {
      loading = prepareLoading(platform, chain);
    },
    take: (): Loading | undefined => {
      const taken = loading;
      loading = undefined;
      return taken;
    },
  };
};

/** The control object of one worker. There is at most one node at a time, and none during a repair. */
export const createControl = (platform: Platform): NodeControl => {
  let state: State = { kind: 'idle' };
  const loads = createLoads(platform);
  const need = (): Running => {
    if (state.kind !== 'running') throw new NodeError('Disconnected', 'The node is not running');
    return state.running;
  };
  const needIdle = (action: string): void => {
    if (state.kind !== 'idle')
      throw new NodeError('Unsupported', `The node ${stateTexts[state.kind]}: it cannot be ${action}`);
  };
  const start = async (config: NodeConfig): Promise<StartInfo> => {
    needIdle('started again');
    const opening = open(platform, config, loads.rpc, loads.take());
    state = { kind: 'starting', opening };
    try {
      const running = await opening;
      const info = running.node.info();
      // If a stop was requested meanwhile, it closes the node.
      if (state.kind === 'starting') state = { kind: 'running', running };
      return info;
    } catch (error) {
      if (state.kind === 'starting') state = { kind: 'idle' };
      throw error;
    }
  };
  const close = async (opening: Promise<Running>): Promise<void> => {
    try {
      // A node that failed to start has closed itself, and `start` reports the error.
      const running = await opening.catch(() => null);
      await running?.close();
    } catch (error) {
      // Logged as well, because a client that is closing does not wait for the result.
      platform.onError(error);
      throw error;
    } finally {
      state = { kind: 'idle' };
    }
  };
  const stop = (): Promise<void> => {
    if (state.kind === 'idle') return Promise.resolve();
    if (state.kind === 'stopping') return state.closing;
    // A repair is one transaction and cannot be interrupted. Its caller gets the result.
    if (state.kind === 'repairing') return state.repair.then(noop, noop);
    const closing = close(state.kind === 'starting' ? state.opening : Promise.resolve(state.running));
    state = { kind: 'stopping', closing };
    return closing;
  };
  const repair: typeof repairChain = async (...request) => {
    needIdle('repaired');
    const repair = import('./repair.ts').then(({ repairChain }) => repairChain(...request));
    state = { kind: 'repairing', repair };
    try {
      return await repair;
    } finally {
      state = { kind: 'idle' };
    }
  };
  return Object.freeze<NodeControl>({
    start: (config) => outcome(() => start(config)),
    prepare: loads.prepare,
    repair: (config, options, onProgress = noop) =>
      outcome(() => repair(platform, config, options, onProgress)),
    stop,
    status: () => outcome(() => need().node.status()),
    connect: (port, options) =>
      outcome(async () => {
        // A client may request a connection together with the start.
        if (state.kind === 'starting') await state.opening;
        need().server.connectPort(port, options);
        return null;
      }),
    ...createLinking(() => need().node),
    importBlocks: (...request) => outcome(() => importBlocks(need().node, ...request)),
  });
};
