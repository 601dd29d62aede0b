import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type DevNode, startDevNode } from '../../../test/rigs/dev-node.ts';
import { loadDefaultRuntime } from '../../../test/rigs/platform.ts';
import { concatBytes, noBytes, textToBytes } from '../../bytes/bytes.ts';
import { bytesToHex, type Hex, hexToBytes } from '../../bytes/hex.ts';
import { decodeWhole } from '../../bytes/reader.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import { createBackend } from '../../state/backend.ts';
import { createOverlay } from '../../state/overlay.ts';
import { createProofSource } from '../../trie/node-source.ts';
import { reputationChanges } from '../reputation-changes.ts';
import { decodeFields, encodeFields } from '../transport/protobuf.ts';
import { createLightServer } from './light-server.ts';

let dev: DevNode;
/** A chain of a state with a child trie. */
let raw: DevNode;
let rate: ReturnType<typeof vi.fn<(peer: string, change: number) => void>>;

const childName = 'ab';
const prefixed = textToBytes(`:child_storage:default:${childName}`);
const children = {
  [bytesToHex(textToBytes(childName))]: { '0x01': `0x${'77'.repeat(70)}`, '0x0203': '0x04' },
};

beforeAll(async () => {
  dev = await startDevNode();
  await dev.call('engine_createBlock', true, false);
  const code = bytesToHex(await loadDefaultRuntime());
  const genesis = { raw: { top: { '0x3a636f6465': code, '0x01': '0x02' }, childrenDefault: children } };
  const specJson = JSON.stringify({ name: 'Light', id: 'light', chainType: 'Local', genesis });
  raw = await startDevNode({ chain: { specJson }, changes: { keys: [] } });
});
beforeEach(() => {
  rate = vi.fn();
});
afterAll(async () => {
  await dev.stop();
  await raw.stop();
});

const onError = (error: unknown): never => {
  throw error;
};
const serverOf = ({ node }: DevNode) => createLightServer({ chain: node.parts.chain, rate, onError });

type Part = readonly [number, Uint8Array];
const at = (block: string): Part => [2, hexToBytes(block as Hex)];
const callOf = (block: string, method: string, input = noBytes): Uint8Array =>
  encodeFields([1, encodeFields(at(block), [3, textToBytes(method)], [4, input])]);
const readOf = (block: string, keys: readonly Uint8Array[]): Uint8Array =>
  encodeFields([2, encodeFields(at(block), ...keys.map((key) => [3, key] as const))]);
const readChildOf = (block: string, child: Uint8Array, keys: readonly Uint8Array[]): Uint8Array =>
  encodeFields([4, encodeFields(at(block), [3, child], ...keys.map((key) => [6, key] as const))]);

/** The nodes in a response of a kind; null if it says that there is no proof. */
const proofIn = (response: Uint8Array | null, field: number): Uint8Array[] | null => {
  const all = decodeFields(response ?? Uint8Array.of(255));
  expect(all.has(field)).toBe(true);
  const inner = decodeFields(all.bytes(field));
  if (!inner.has(2)) return null;
  return decodeWhole(inner.bytes(2), (reader) => reader.vec((node) => node.vecBytes().slice()));
};
const sorted = (proof: readonly Uint8Array[] | null): string[] | undefined => proof?.map(bytesToHex).sort();

test('values are proven as state_getReadProof does', async () => {
  const keys = [hexToBytes(dev.itemKey('System', 'Number') as Hex), textToBytes(':code'), Uint8Array.of(9)];
  const { hash } = dev.best();
  const { proof } = await dev.call<{ proof: string[] }>('state_getReadProof', keys.map(bytesToHex), hash);
  const given = proofIn(await serverOf(dev).serve('a', readOf(hash, keys)), 2);
  expect(proof.length).toBeGreaterThan(3);
  expect(sorted(given)).toEqual(proof.sort());
});

test('values of a child trie are proven, by its name with the prefix and without', async () => {
  const { hash } = raw.best();
  const keys = [Uint8Array.of(1), Uint8Array.of(5)];
  const params = [bytesToHex(prefixed), keys.map(bytesToHex), hash];
  const { proof } = await raw.call<{ proof: string[] }>('state_getChildReadProof', ...params);
  for (const child of [prefixed, textToBytes(childName)])
    expect(sorted(proofIn(await serverOf(raw).serve('a', readChildOf(hash, child, keys)), 2))).toEqual(
      [...proof].sort(),
    );
});

test.each([
  ['GrandpaApi_grandpa_authorities', noBytes],
  ['BabeApi_configuration', noBytes],
  ['AccountNonceApi_account_nonce', new Uint8Array(32).fill(7)],
])('the proof of %s is enough to execute it', async (method, input) => {
  const { chain, crypto } = dev.node.parts;
  const { hash } = dev.best();
  const proof = proofIn(await serverOf(dev).serve('a', callOf(hash, method, input)), 1);
  expect(proof?.length).toBeGreaterThan(0);
  const { blake2b256 } = crypto;
  const source = createProofSource(blake2b256, proof ?? []);
  const header = await chain.loadHeader(hash);
  const backend = createBackend({ blake2b256, source }, header?.stateRoot ?? noBytes);
  const result = (await chain.runtimeAt(hash)).call(createOverlay(backend), method, input);
  expect(result.ok ? bytesToHex(result.output) : result.trap).toBe(
    await dev.call('state_call', method, bytesToHex(input), hash),
  );
});

test('what cannot be proven is a response without a proof, and costs nothing', async () => {
  const { serve } = serverOf(dev);
  const { hash } = dev.best();
  const unknown: BlockHash = bytesToBlockHash(new Uint8Array(32).fill(5));
  const many = Array.from({ length: 20_000 }, () => Uint8Array.of(1));
  const cases: [Uint8Array, number][] = [
    [callOf(unknown, 'Core_version'), 1],
    [callOf(hash, 'No_method'), 1],
    [callOf(hash, 'Core_execute_block', Uint8Array.of(1)), 1],
    [readOf(unknown, [Uint8Array.of(1)]), 2],
    [readOf(hash, many), 2],
    [readChildOf(unknown, prefixed, [Uint8Array.of(1)]), 2],
  ];
  for (const [request, field] of cases) expect(proofIn(await serve('a', request), field)).toBeNull();
  expect(rate).not.toHaveBeenCalled();
});

test('nonsense is refused and charged', async () => {
  const { serve } = serverOf(dev);
  const whole = readOf(dev.best().hash, [Uint8Array.of(1)]);
  const cases = [
    noBytes,
    new Uint8Array(50).fill(255),
    encodeFields([3, encodeFields()]),
    encodeFields([2, noBytes]),
    encodeFields([2, encodeFields([2, blockHashToBytes(dev.best().hash).subarray(1)])]),
    callOf(dev.best().hash, '').with(-1, 255),
    whole.subarray(0, -1),
    concatBytes(whole, Uint8Array.of(10)),
  ];
  for (const request of cases) expect(await serve('a', request)).toBeNull();
  expect(rate.mock.calls).toEqual(cases.map(() => ['a', reputationChanges.undecodable]));
});

test('of the requests of one peer only so many wait, and others are served', async () => {
  const { serve } = serverOf(dev);
  const request = readOf(dev.best().hash, [textToBytes(':heappages')]);
  const all = Array.from({ length: 40 }, () => serve('a', request));
  expect(proofIn(await serve('b', request), 2)).not.toBeNull();
  const responses = await Promise.all(all);
  expect(responses.filter((response) => response === null)).toHaveLength(8);
});
