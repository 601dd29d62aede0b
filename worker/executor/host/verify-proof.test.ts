import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hexToBytes } from '../../bytes/hex.ts';
import { Writer } from '../../bytes/writer.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import { createOverlay } from '../../state/overlay.ts';
import { emptySource } from '../../trie/node-source.ts';
import { createExecutor } from '../executor.ts';
import { buildTinyModule, tinyTypes } from '../tiny-module.fixture.ts';
import { verifyProof } from './verify-proof.ts';

type Vector = {
  hash: 'blake2_256' | 'keccak_256';
  version: 0 | 1;
  root: string;
  proof: string[];
  key: string;
  value: string;
  ok: boolean;
};
const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/trie-value-proofs.json', import.meta.url), 'utf8'),
) as Vector[];
const crypto = await loadCrypto();
const hashes = { blake2_256: crypto.blake2b256, keccak_256: crypto.keccak256 };

describe('proofs of one value', () => {
  it('include many valid and many invalid ones', () => {
    expect(vectors.filter(({ ok }) => ok).length).toBeGreaterThan(30);
    expect(vectors.filter(({ ok }) => !ok).length).toBeGreaterThan(30);
  });

  it.each(vectors.map((one, index) => [index, one.hash, one.version, one.ok, one] as const))(
    '%i: %s, version %i, %s',
    (_index, name, version, ok, { root, proof, key, value }) => {
      const claim = { root: hexToBytes(root), key: hexToBytes(key), value: hexToBytes(value), version };
      expect(verifyProof(hashes[name], proof.map(hexToBytes), claim)).toBe(ok);
    },
  );

  it('an empty proof proves nothing', () => {
    const empty = new Uint8Array(0);
    const claim = { root: new Uint8Array(32), key: empty, value: empty, version: 0 } as const;
    expect(verifyProof(crypto.blake2b256, [], claim)).toBe(false);
    expect(verifyProof(crypto.blake2b256, [new Uint8Array(1)], claim)).toBe(false);
  });

  it('a long key covered by one node is read without recursion', () => {
    const key = new Uint8Array(200_000);
    const claim = { root: new Uint8Array(32), key, value: key, version: 0 } as const;
    // Branches without a partial key, each with the next one inline in slot 0.
    const inner = Uint8Array.of(0x80, 1, 0, 0);
    expect(verifyProof(crypto.blake2b256, new Array(100_000).fill(inner), claim)).toBe(false);
  });
});

describe('the host functions', () => {
  /** The input consists of 32 bytes for the root, then proof, key and value, each preceded by its length. */
  const ask = (name: string, type: number, vector: Vector): boolean => {
    const parts = [
      new Writer().vec(vector.proof.map(hexToBytes), (out, node) => out.vecBytes(node)).finish(),
      hexToBytes(vector.key),
      hexToBytes(vector.value),
    ];
    const input = new Writer().raw(hexToBytes(vector.root));
    for (const part of parts) input.raw(part);
    let offset = 32;
    const leb = (value: number): number[] =>
      value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >> 7)];
    const spans = parts.flatMap(({ length }) => {
      // The span of a part: (pointer + offset) | length << 32.
      const span = [0x20, 0, 0x41, ...leb(offset), 0x6a, 0xad, 0x42, ...leb(length), 0x42, 32, 0x86, 0x84];
      offset += length;
      return span;
    });
    const version = name.endsWith('2') ? [0x41, vector.version] : [];
    // A call returns a span, so the result is encoded as the number of bytes returned.
    const body = [0x20, 0, ...spans, ...version, 0x10, 0, 0xad, 0x42, 32, 0x86, 0x20, 0, 0xad, 0x84];
    const code = buildTinyModule({ imports: [[name, type]], functions: { ask: body } });
    const runtime = createExecutor({ crypto }).load(crypto.blake2b256(code), code);
    const overlay = createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
    const result = runtime.call(overlay, 'ask', input.finish());
    if (!result.ok) throw new Error(result.trap);
    return result.output.length === 1;
  };

  it.each([
    ['ext_trie_blake2_256_verify_proof_version_1', 'blake2_256', 0],
    ['ext_trie_blake2_256_verify_proof_version_2', 'blake2_256', 1],
    ['ext_trie_keccak_256_verify_proof_version_1', 'keccak_256', 0],
    ['ext_trie_keccak_256_verify_proof_version_2', 'keccak_256', 1],
  ] as const)("%s returns the native node's results", (name, hash, version) => {
    const type = name.endsWith('1') ? tinyTypes.proof : tinyTypes.proofOfVersion;
    for (const ok of [true, false]) {
      const vector = vectors.find((one) => one.hash === hash && one.version === version && one.ok === ok);
      expect(ask(name, type, vector as Vector)).toBe(ok);
    }
  });
});
