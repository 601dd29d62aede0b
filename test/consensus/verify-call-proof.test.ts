import { expect, it } from 'vitest';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeWhole } from '../../worker/bytes/reader.ts';
import { decodeHeader } from '../../worker/codec/header.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { createBackend } from '../../worker/state/backend.ts';
import { createRecordedOverlay } from '../../worker/state/recorded-overlay.ts';
import { createProofSource } from '../../worker/trie/node-source.ts';
import { createProofRecorder } from '../../worker/trie/proof-recorder.ts';
import { hasFixtures, loadFixtureJson } from '../rigs/fixtures.ts';

type CallProof = Record<'transactionBytes' | 'runtimeCode' | 'callProof' | 'blockHeader', string>;

it.skipIf(!hasFixtures)(
  'a call of Westend reads what a native node recorded as its proof, node by node',
  async () => {
    const { blake2b256, ...crypto } = await loadCrypto();
    const fixture = await loadFixtureJson<CallProof>('fork/westend-call-proof-16547611.json');
    const bytes = (name: keyof CallProof) => hexToBytes(`0x${fixture[name]}`);
    const proof = decodeWhole(bytes('callProof'), (reader) => reader.vec((node) => node.vecBytes().slice()));
    const header = bytes('blockHeader');
    const code = bytes('runtimeCode');
    const runtime = createExecutor({ crypto: { blake2b256, ...crypto } }).load(blake2b256(code), code);
    const source = createProofSource(blake2b256, proof);
    const backend = createBackend({ blake2b256, source }, decodeHeader(header).stateRoot);
    const recorder = createProofRecorder();
    const overlay = createRecordedOverlay(backend, recorder, false);
    // From outside, on this block.
    const input = concatBytes(Uint8Array.of(2), bytes('transactionBytes'), blake2b256(header));
    const result = runtime.call(overlay, 'TaggedTransactionQueue_validate_transaction', input);
    // Ok, with a longevity of 60 blocks, and propagated.
    expect(result.ok ? bytesToHex(result.output) : result.trap).toMatch(/^0x00.*3c0000000000000001$/);
    expect(recorder.nodes().map(bytesToHex).sort()).toEqual(proof.map(bytesToHex).sort());
    expect(overlay.proofSize()).toBeNull();
  },
);
