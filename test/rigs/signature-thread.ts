import { Worker as Thread } from 'node:worker_threads';
import { afterAll, expect, vi } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { findSignatureHelper, type SignatureWorker } from '../../worker/crypto/signature-helper.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from './platform.ts';

/** Nodes with the helper for signatures that they have in Node.js. The threads end with the tests of a file. */
export const useSignatureThreads = () => {
  const threads: Thread[] = [];
  const start = (): SignatureWorker => {
    const url = new URL('../../worker/crypto/signature-thread.ts', import.meta.url);
    const thread = new Thread(url, { execArgv: [] });
    threads.push(thread);
    return thread as unknown as SignatureWorker;
  };
  afterAll(async () => {
    for (const thread of threads) await thread.terminate();
  });
  return {
    helper: () => findSignatureHelper(start),
    /** A node whose helper has started, with a fixed wall clock. */
    open: async (nowMs: number, changes: Partial<NodeConfig> = {}): Promise<Node> => {
      const config = testConfig('development', { finality: { kind: 'manual' }, keys: [], ...changes });
      const platform = { ...createTestPlatform({ now: () => nowMs }), startSignatureWorker: start };
      const node = await createNode(platform, config);
      await vi.waitFor(() => expect(findSignatureHelper(start)).not.toBeNull());
      return node;
    },
    kill: (): void => void threads.pop()?.terminate(),
  };
};
