import { describe, expect, it } from 'vitest';
import { noBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { encodeBlock } from '../../worker/codec/block.ts';
import { decodeHeader, type Header, splitSeals } from '../../worker/codec/header.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor, type Executor, type Runtime } from '../../worker/executor/executor.ts';
import { type Backend, createBackend, createEmptyBackend } from '../../worker/state/backend.ts';
import { createOverlay } from '../../worker/state/overlay.ts';
import { MissingNodes } from '../../worker/trie/missing-nodes.ts';
import { createNodeMap, type NodeSource } from '../../worker/trie/node-source.ts';
import { hasFixtures, loadFixtureJson, loadFixtureLines } from '../rigs/fixtures.ts';

/**
 * Needs ../shared/fixtures. Executes the same blocks on fresh instances and on one that is used, disturbed
 * and restored.
 */

type Spec = {
  genesis: { raw: { top: Record<string, string>; childrenDefault?: Record<string, Record<string, string>> } };
};
type Body = { header: string; body: string[] };
type HeaderJson = {
  parentHash: string;
  number: string;
  stateRoot: string;
  extrinsicsRoot: string;
  digest: { logs: string[] };
};
type Line = { block: { header: HeaderJson; extrinsics: string[] } };
type Row = { readonly header: Header; readonly body: readonly Uint8Array[] };

const crypto = await loadCrypto();
const { blake2b256 } = crypto;
const codeKey = hexToBytes('0x3a636f6465');

const toPairs = (record: Record<string, string>) =>
  Object.entries(record).map(([key, value]) => [hexToBytes(key), hexToBytes(value)] as const);

const openGenesis = async (file: string, version: 0 | 1) => {
  const { raw } = (await loadFixtureJson<Spec>(file)).genesis;
  const map = createNodeMap();
  const children = Object.entries(raw.childrenDefault ?? {}).map(
    ([name, pairs]) => [hexToBytes(name), toPairs(pairs)] as const,
  );
  const made = createEmptyBackend({ blake2b256, source: map }).commit(
    { main: toPairs(raw.top), children, offchain: [] },
    version,
  );
  map.add(made.nodes);
  return { map, root: made.backend.root };
};

const loadWestend = async (): Promise<Row[]> =>
  (await loadFixtureJson<Body[]>('blocks/westend-1-128.json')).map(({ header, body }) => ({
    header: decodeHeader(hexToBytes(header)),
    body: body.map(hexToBytes),
  }));

const loadSdkNode = async (): Promise<Row[]> =>
  (await loadFixtureLines<Line>('sdk-node/blocks.jsonl')).map(({ block: { header, extrinsics } }) => ({
    header: {
      parentHash: hexToBytes(header.parentHash),
      number: Number(header.number),
      stateRoot: hexToBytes(header.stateRoot),
      extrinsicsRoot: hexToBytes(header.extrinsicsRoot),
      digest: header.digest.logs.map(hexToBytes),
    },
    body: extrinsics.map(hexToBytes),
  }));

const loadRuntime = (executor: Executor, backend: Backend): Runtime => {
  const name = backend.valueHash(codeKey) as Uint8Array;
  return executor.loaded(name) ?? executor.load(name, backend.get(codeKey) as Uint8Array);
};

const inputOf = (row: Row): Uint8Array =>
  encodeBlock({ header: splitSeals(row.header).unsealed, extrinsics: row.body });

const executeBlock = (executor: Executor, backend: Backend, row: Row, version: 0 | 1) => {
  const overlay = createOverlay(backend);
  const result = loadRuntime(executor, backend).call(overlay, 'Core_execute_block', inputOf(row));
  if (!result.ok) throw new Error(`block ${row.header.number}: ${result.trap}`);
  return { ...overlay.commit(version), output: result.output, logs: result.logs };
};

/** A source that returns only the first `reads` nodes requested. */
const shortSource = (source: NodeSource, reads: number): NodeSource => {
  let left = reads;
  return { getNode: (hash) => (left-- > 0 ? source.getNode(hash) : null) };
};

/**
 * Makes calls that must leave no trace: they trap, miss nodes in the middle of a block, or run out of fuel.
 */
const disturb = (executor: Executor, backend: Backend, source: NodeSource, row: Row): string[] => {
  const runtime = loadRuntime(executor, backend);
  const seen: string[] = [];
  const input = inputOf(row);
  const attempt = (work: () => ReturnType<Runtime['call']>) => {
    try {
      const result = work();
      seen.push(result.ok ? 'ok' : result.kind);
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      seen.push('miss');
    }
  };
  attempt(() => runtime.call(createOverlay(backend), 'Core_execute_block', input.slice(0, input.length - 1)));
  const bad = input.slice();
  bad[40] = (bad[40] as number) ^ 0xff;
  attempt(() => runtime.call(createOverlay(backend), 'Core_execute_block', bad));
  for (const reads of [0, 7, 23]) {
    const blind = createBackend({ blake2b256, source: shortSource(source, reads) }, backend.root);
    attempt(() => runtime.call(createOverlay(blind), 'Core_execute_block', input));
  }
  attempt(() => runtime.call(createOverlay(backend), 'Core_execute_block', input, { fuel: 'small' }));
  attempt(() => runtime.call(createOverlay(backend), 'Metadata_metadata', noBytes));
  return seen;
};

const compare = async (file: string, rows: readonly Row[], version: 0 | 1): Promise<Set<string>> => {
  const { map, root } = await openGenesis(file, version);
  const fresh = createExecutor({ crypto }, { instances: 'fresh' });
  const restored = createExecutor({ crypto }, { fuel: { small: 20_000n } });
  const seen = new Set<string>();
  let pristine = createBackend({ blake2b256, source: map }, root);
  let used = createBackend({ blake2b256, source: map }, root);
  for (const row of rows) {
    for (const kind of disturb(restored, used, map, row)) seen.add(kind);
    const one = executeBlock(fresh, pristine, row, version);
    const two = executeBlock(restored, used, row, version);
    expect(bytesToHex(two.backend.root)).toBe(bytesToHex(row.header.stateRoot));
    expect(two.output).toEqual(one.output);
    expect(two.logs).toEqual(one.logs);
    expect(two.changes).toEqual(one.changes);
    expect(two.nodes).toEqual(one.nodes);
    map.add(one.nodes);
    pristine = one.backend;
    used = two.backend;
  }
  expect(fresh.liveInstances()).toBe(0);
  expect(restored.liveInstances()).toBeGreaterThan(0);
  return seen;
};

describe.skipIf(!hasFixtures)(
  'a restored instance and fresh ones give the same bytes, after traps, misses and fuel exhaustion',
  () => {
    const all = new Set(['trap', 'miss', 'fuel']);
    it('Westend 1–128', async () => {
      const seen = await compare('chains/westend-raw.json', await loadWestend(), 0);
      expect(seen.intersection(all)).toEqual(all);
    }, 240_000);

    it('the chain of a native SDK node', async () => {
      const seen = await compare('sdk-node/spec.json', await loadSdkNode(), 1);
      expect(seen.intersection(all)).toEqual(all);
    }, 240_000);
  },
);
