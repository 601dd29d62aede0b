import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Platform } from '../../worker/node.ts';
import { measureReads, type Reads } from '../reads.ts';

// Parts of the node in the page itself: the same engine as in the worker, without the transport.

const platform: Platform = {
  loadCrypto,
  openDatabase: async () => createMemoryDatabase(),
  openDamaged: () => Promise.reject(new Error('nothing is damaged here')),
  loadRuntime: async () => {
    const response = await fetch('/tabnode-runtime.compact.compressed.wasm');
    return new Uint8Array(await response.arrayBuffer());
  },
  loadOpenRpc: async () => '{}',
  lock: async () => () => undefined,
  now: () => Date.now(),
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  onError: (error) => {
    throw error;
  },
};

/** Milliseconds per block on a fresh node that verifies every signature itself. */
export const importBlocks = async (blocks: readonly SignedBlockJson[]): Promise<number[]> => {
  const node = await createNode(platform, {
    chain: 'development',
    storage: { kind: 'memory' },
    seal: { kind: 'manual' },
    finality: { kind: 'instant' },
    dialect: 'polkadot-sdk',
    keys: [],
  });
  const all: number[] = [];
  for (const block of blocks) {
    const from = performance.now();
    await node.importBlock(block);
    all.push(performance.now() - from);
  }
  await node.close();
  return all;
};

export const readState = async (): Promise<Reads> => measureReads(await loadCrypto());
