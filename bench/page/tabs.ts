import { startNode, type TabNode } from '../../src/index.ts';

const storage = { kind: 'indexeddb', name: 'bench-tabs' } as const;
const shared = { storage, shared: true, seal: 'manual' } as const;

let node: TabNode | null = null;

/** Runs the chain of the benchmark's tabs, or uses it if another tab runs it. */
const share = async (): Promise<void> => {
  node = await startNode(shared);
  await node.rpc.chain_getHeader();
};

/** Clock times: when the tab with the node was found to be gone, and when the next call returned. */
const nextAnswer = (): Promise<{ readonly missed: number; readonly answered: number }> =>
  new Promise((resolve, reject) => {
    node?.connection.onClose(() => {
      const missed = Date.now();
      const ask = async (): Promise<void> => {
        const connection = await node?.connect();
        await connection?.request('chain_getHeader', []);
        resolve({ missed, answered: Date.now() });
      };
      ask().catch(reject);
    });
  });

/** Starts development nodes in this page, of which each seals a block. */
const startMany = async (count: number): Promise<void> => {
  for (let k = 0; k < count; k++) {
    const started = await startNode({ seal: 'manual' });
    await started.rpc.engine_createBlock({ create_empty: true, finalize: true });
  }
};

export const tabsBench = { share, nextAnswer, startMany };
