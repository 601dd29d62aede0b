import { describe, expect, test } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../test/rigs/fixtures.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { encodeBlock } from '../codec/block.ts';
import { decodeHeader, splitSeals } from '../codec/header.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { type Backend, createBackend, createEmptyBackend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import { createNodeMap, type NodeSource } from '../trie/node-source.ts';
import { createExecutor, type Executor } from './executor.ts';

type Spec = { genesis: { raw: { top: Record<string, string> } } };
type Row = { number: number; header: string; body: string[] };
const crypto = await loadCrypto();
const { blake2b256 } = crypto;
const codeKey = hexToBytes('0x3a636f6465');

const loadChain = async () => {
  const spec = await loadFixtureJson<Spec>('chains/westend-raw.json');
  const pairs = Object.entries(spec.genesis.raw.top).map(
    ([key, value]) => [hexToBytes(key), hexToBytes(value)] as const,
  );
  const map = createNodeMap();
  const made = createEmptyBackend({ blake2b256, source: map }).commit(
    { main: pairs, children: [], offchain: [] },
    0,
  );
  map.add(made.nodes);
  const rows = await loadFixtureJson<Row[]>('blocks/westend-1-128.json');
  return { root: made.backend.root, map, rows };
};

/** Executes one block, and repeats it with the missing nodes added until none are missing. */
const execute = (
  executor: Executor,
  backend: Backend,
  row: Row,
  reveal: (hashes: readonly Uint8Array[]) => void,
) => {
  const { unsealed } = splitSeals(decodeHeader(hexToBytes(row.header)));
  const input = encodeBlock({ header: unsealed, extrinsics: row.body.map(hexToBytes) });
  for (;;) {
    const overlay = createOverlay(backend);
    try {
      const code = backend.get(codeKey) as Uint8Array;
      const runtime = executor.load(backend.valueHash(codeKey) as Uint8Array, code);
      const result = runtime.call(overlay, 'Core_execute_block', input);
      if (!result.ok) throw new Error(`block ${row.number}: ${result.trap}`);
      const done = overlay.commit(0);
      expect(bytesToHex(done.backend.root)).toBe(bytesToHex(unsealed.stateRoot));
      return done;
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      expect(overlay.depth()).toBe(0);
      reveal(error.nodes.map(({ hash }) => hash));
    }
  }
};

describe.skipIf(!hasFixtures)('Westend blocks 1 to 128', () => {
  test("restored and fresh instances change the same bytes, resulting in the headers' roots", async () => {
    const { root, map, rows } = await loadChain();
    expect(rows.length).toBe(128);
    const restored = createExecutor({ crypto });
    const fresh = createExecutor({ crypto }, { instances: 'fresh' });
    const never = (): never => {
      throw new Error('all nodes are in memory');
    };
    let a = createBackend({ blake2b256, source: map }, root);
    let b = a;
    for (const row of rows) {
      const one = execute(restored, a, row, never);
      const two = execute(fresh, b, row, never);
      expect(one.changes).toEqual(two.changes);
      map.add(one.nodes);
      a = one.backend;
      b = two.backend;
    }
    expect(fresh.liveInstances()).toBe(0);
  });

  test('blocks also execute if every node is missing at first', async () => {
    const { root, map, rows } = await loadChain();
    const executor = createExecutor({ crypto });
    const shown = new Set<string>();
    let misses = 0;
    const source: NodeSource = {
      getNode: (hash) => (shown.has(bytesToHex(hash)) ? map.getNode(hash) : null),
    };
    const reveal = (hashes: readonly Uint8Array[]) => {
      misses++;
      for (const hash of hashes) shown.add(bytesToHex(hash));
    };
    let current = root;
    for (const row of rows.slice(0, 8)) {
      const done = execute(executor, createBackend({ blake2b256, source }, current), row, reveal);
      map.add(done.nodes);
      current = done.backend.root;
    }
    expect(misses).toBeGreaterThan(8);
  });
});
