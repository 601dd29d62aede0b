import { type NodeOptions, startNode, type TabNode } from '../../src/index.ts';
import type { TransportTask, TransportTimes } from './transport-worker.ts';

/** A block that the node of the page was told of, with the clock's time. */
export type SeenHead = { readonly number: number; readonly atMs: number };

export type PeerState = {
  readonly best: number;
  readonly finalized: number;
  /** Authors who have sealed two blocks in one slot. */
  readonly equivocations: number;
  /** Bytes of the page and its workers; null where the browser does not tell. */
  readonly memory: number | null;
};

type Measured = { measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }> };

let node: TabNode | null = null;
const heads: SeenHead[] = [];
const need = (): TabNode => {
  if (node === null) throw new Error('no node');
  return node;
};

/** Starts a full node of a chain, which is kept in IndexedDB. Returns its peer id. */
const joinNetwork = async (
  specJson: string,
  bootNodes: readonly string[],
  more: Pick<NodeOptions, 'keys' | 'seal' | 'statePruning' | 'cacheBytes'>,
): Promise<string> => {
  const storage = { kind: 'indexeddb', name: 'bench-peer' } as const;
  const dialect = 'polkadot-sdk';
  node = await startNode({ chain: { specJson }, storage, dialect, network: { bootNodes }, ...more });
  await node.connection.subscribe('chain_subscribeAllHeads', [], (head) => {
    heads.push({ number: Number((head as { readonly number: string }).number), atMs: Date.now() });
  });
  return node.rpc.system_localPeerId();
};

const peerState = async (): Promise<PeerState> => {
  const { bestNumber, finalizedNumber, equivocations } = await need().status();
  const measured = await (performance as Measured).measureUserAgentSpecificMemory?.();
  const memory = measured?.bytes ?? null;
  return { best: bestNumber, finalized: finalizedNumber, equivocations: equivocations.count, memory };
};

/** What came since the last call. */
const takeHeads = (): SeenHead[] => heads.splice(0);

const hashAt = (number: number): Promise<unknown> =>
  need().connection.request('chain_getBlockHash', [number]);

/** Compares a connection with a WebSocket alone, in a worker. */
const compareTransport = (task: TransportTask): Promise<TransportTimes> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./transport-worker.ts', import.meta.url), { type: 'module' });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<{ times?: TransportTimes; error?: string }>) => {
      worker.terminate();
      if (data.times === undefined) reject(new Error(data.error));
      else resolve(data.times);
    };
    worker.postMessage(task);
  });

export const peerBench = { compareTransport, joinNetwork, peerState, takeHeads, hashAt };
