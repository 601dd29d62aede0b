import { errorToData, NodeError } from '../src/protocol/errors.ts';
import type { NodeControl, Outcome } from '../src/protocol/node.ts';
import { createNode, type Node, type Platform } from './node.ts';
import { openCustomMethods } from './rpc/custom.ts';
import { createRpcServer, type RpcServer } from './rpc/server.ts';

const outcome = async <T>(work: () => Promise<T>): Promise<Outcome<T>> => {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error: errorToData(error) };
  }
};

/** The control object of one worker: at most one node, started once, stopped once. */
export const createControl = (platform: Platform): NodeControl => {
  let running: { readonly node: Node; readonly server: RpcServer } | null = null;
  const need = (): { readonly node: Node; readonly server: RpcServer } => {
    if (running === null) throw new NodeError('Disconnected', 'The node is not running');
    return running;
  };
  return Object.freeze<NodeControl>({
    start: (config) =>
      outcome(async () => {
        if (running !== null) throw new NodeError('BadConfig', 'The node is already running');
        const custom = await openCustomMethods(config);
        const node = await createNode(platform, config);
        running = {
          node,
          server: createRpcServer(node.parts, {
            loadOpenRpc: platform.loadOpenRpc,
            custom,
            stayAwake: platform.stayAwake,
          }),
        };
        return node.info();
      }),
    stop: async () => {
      const stopping = running;
      running = null;
      stopping?.server.close();
      await stopping?.node.close();
    },
    status: () => outcome(() => need().node.status()),
    connect: (port, options) =>
      outcome(async () => {
        need().server.connectPort(port, options);
        return null;
      }),
    importBlock: (block) => outcome(() => need().node.importBlock(block)),
  });
};
