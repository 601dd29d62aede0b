import type { ForkProgress } from '../src/protocol/fork-source.ts';
import type { RehearsalReport } from '../src/protocol/rehearsal.ts';
import type { Live } from '../src/protocol/replay.ts';
import { createClosers } from './closers.ts';
import { rehearseUpgrade } from './dev/rehearsal/rehearse.ts';
import { createNode } from './node.ts';
import type { Platform } from './platform.ts';

/** A migration walks through whole maps more than once: their nodes stay decoded. */
const cacheBytes = 512 * 1024 * 1024;

/**
 * Rehearses an upgrade on a fork in memory that nobody else sees. `onProgress` is called after what was read has changed, at
 * most ten times per second, and four times per second within a long call of the runtime.
 */
export const rehearseLive = async (
  platform: Platform,
  ...[source, code, { packs, ...options }, onProgress]: Parameters<Live['rehearse']>
): Promise<{ report: RehearsalReport; pack: Uint8Array | null }> => {
  const closers = createClosers();
  const { port1, port2 } = new MessageChannel();
  closers.add(async () => port1.close());
  let read: ForkProgress = { requests: 0, bytes: 0, items: 0, reading: null };
  port1.onmessage = ({ data }) => {
    read = data;
    onProgress({ ...read, executed: 0 });
  };
  const onReads = (executed: number): void => onProgress({ ...read, executed });
  try {
    const node = await createNode(platform, {
      chain: { fork: { ...source, progress: port2 } },
      storage: { kind: 'memory' },
      seal: { kind: 'manual' },
      finality: { kind: 'manual' },
      dialect: 'polkadot-sdk',
      keys: [],
      cacheBytes,
    });
    closers.add(node.close);
    const { chain, author, executor, crypto, fork } = node.parts;
    const deps = { chain, author, executor, crypto, zstd: platform.zstd ?? null, onReads };
    const report = await rehearseUpgrade(deps, chain.best().hash, code, options);
    const { requests = 0, bytes = 0 } = fork?.origin?.stats() ?? {};
    return {
      report: { ...report, requests, bytes },
      pack: packs ? ((await fork?.exportPack()) ?? null) : null,
    };
  } finally {
    await closers.closeAll();
  }
};
