import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryPrefix } from '../../src/scale/storage.ts';
import { bytesToKey } from '../../worker/bytes/bytes.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { rehearseUpgrade } from '../../worker/dev/rehearsal/rehearse.ts';
import type { Executor } from '../../worker/executor/executor.ts';
import type { Node } from '../../worker/node.ts';
import type { Overlay } from '../../worker/state/overlay.ts';
import { buildMigratingRuntime } from '../rigs/migrating-runtime.ts';
import { originOf } from './chain-origin.ts';
import { openForkOf } from './fork-rig.ts';
import { type LargeChain, openLargeChain } from './large-chain.ts';

const accounts = 100_000;
/** As the command has it, so that the nodes of the map stay decoded. */
const cacheBytes = 512 * 1024 * 1024;

/** Counts how often each key of a map is proven, and the keys of all others. */
const countKeys = (origin: Origin, prefix: Uint8Array) => {
  const times = new Map<string, number>();
  let others = 0;
  let requests = 0;
  const isOfMap = (key: Uint8Array): boolean => prefix.every((byte, at) => key[at] === byte);
  const counted: Origin = {
    ...origin,
    nodes: (at, proofs, wanted) => {
      requests += 1;
      for (const { keys } of proofs)
        for (const key of keys) {
          if (!isOfMap(key)) others += 1;
          else times.set(bytesToKey(key), (times.get(bytesToKey(key)) ?? 0) + 1);
        }
      return origin.nodes(at, proofs, wanted);
    },
    keysPaged: (...request) => {
      requests += 1;
      return origin.keysPaged(...request);
    },
  };
  return { counted, times, others: () => others, requests: () => requests };
};

/** Counts how often the runtime begins a block, and what it reads in all runs together. */
const countRuns = (executor: Pick<Executor, 'load'>) => {
  let begun = 0;
  let values = 0;
  let isRunning = false;
  const counted = (overlay: Overlay): Overlay => {
    const get: Overlay['get'] = (key) => {
      values += 1;
      return overlay.get(key);
    };
    return { ...overlay, get };
  };
  const load: Executor['load'] = (...code) => {
    const runtime = executor.load(...code);
    const call: typeof runtime.call = (overlay, method, ...rest) => {
      if (method === 'Core_initialize_block') begun += 1;
      isRunning = true;
      try {
        return runtime.call(counted(overlay), method, ...rest);
      } finally {
        isRunning = false;
      }
    };
    return { ...runtime, call };
  };
  return { executor: { load }, begun: () => begun, values: () => values, isRunning: () => isRunning };
};

describe(`a migration over a map of ${accounts} keys`, () => {
  let large: LargeChain;
  let fork: Node | null = null;
  beforeAll(async () => {
    large = await openLargeChain(accounts);
  }, 120_000);
  afterAll(async () => {
    await fork?.close();
    await large?.live.close();
  });

  it('reads each key once, in pages', async () => {
    const crypto = await loadCrypto();
    const prefix = hexToBytes(entryPrefix('System', 'Account'));
    const keys = countKeys(originOf(large.live), prefix);
    const { node } = await openForkOf(large.live, {
      block: '0',
      keys: [],
      origin: keys.counted,
      changes: { cacheBytes },
    });
    fork = node;
    const { times, requests, others } = keys;
    const before = { requests: requests(), others: others() };
    const code = await buildMigratingRuntime(crypto, ({ walk }) => ({ before: walk(prefix, 80) }));
    const { hash } = node.parts.chain.best();
    const { executor, begun, values, isRunning } = countRuns(node.parts.executor);
    const shown: number[] = [];
    const onReads = (count: number): void => {
      expect(isRunning()).toBe(count > 0);
      shown.push(count);
    };
    const deps = { ...node.parts, executor, zstd: null, onReads };
    const report = await rehearseUpgrade(deps, hash, code, { maxBlocks: 1 });
    expect(report.problems).toEqual([]);
    expect(report.migration?.keysRead).toBeGreaterThanOrEqual(accounts);
    expect([...times.values()].reduce((most, count) => Math.max(most, count), 0)).toBe(1);
    // The map is walked a few times, not once for each page.
    expect(begun()).toBeLessThan(40);
    // Read ahead to 65 % and 87 %, then to the end, and once more in the block of the upgrade; no trial walks as far.
    expect(values()).toBeLessThan(3.2 * accounts);
    expect(shown.some((count) => count > 0)).toBe(true);
    expect(shown.at(-1)).toBe(0);
    // A page is a list of keys and their proof.
    expect(requests() - before.requests).toBeLessThan((2 * accounts) / 1000 + 50);
    expect(others() - before.others).toBeLessThan(200);
  }, 240_000);
});
