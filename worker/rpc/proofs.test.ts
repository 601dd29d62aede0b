import { blake2b } from '@noble/hashes/blake2.js';
import { validateProofs } from '@polkadot-api/substrate-bindings';
import { describe, expect, it } from 'vitest';
import { createTestPlatform, loadDefaultRuntime, testConfig } from '../../test/rigs/platform.ts';
import { createNode } from '../node.ts';
import { createRpcServer } from './server.ts';

/**
 * An independent verifier that shares no code with the node. It decodes nodes as described in the chapters
 * "Merkle proofs" and "Trie" of the host specification, and finds values by walking from the root.
 */
const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.slice(2), 'hex'));
const hash = (bytes: Uint8Array): string => hexOf(blake2b(bytes, { dkLen: 32 }));
const nibblesOf = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);

type Value = { kind: 'none' } | { kind: 'inline'; bytes: Uint8Array } | { kind: 'hash'; hash: string };
type Decoded = { partial: number[]; value: Value; children: (Uint8Array | null)[] };

const decode = (bytes: Uint8Array): Decoded => {
  let at = 0;
  const take = (count: number): Uint8Array => {
    if (at + count > bytes.length) throw new Error('a node ends early');
    at += count;
    return bytes.slice(at - count, at);
  };
  const byte = (): number => take(1)[0] as number;
  const compact = (): number => {
    const first = byte();
    if ((first & 3) === 0) return first >> 2;
    if ((first & 3) === 1) return (first | (byte() << 8)) >> 2;
    return (first | (byte() << 8) | (byte() << 16) | (byte() << 24)) >>> 2;
  };
  const head = byte();
  const variants = [
    [0b1100_0000, 0b0100_0000, 'leaf', 'inline'],
    [0b1100_0000, 0b1000_0000, 'branch', 'none'],
    [0b1100_0000, 0b1100_0000, 'branch', 'inline'],
    [0b1110_0000, 0b0010_0000, 'leaf', 'hash'],
    [0b1111_0000, 0b0001_0000, 'branch', 'hash'],
  ] as const;
  const found = variants.find(([mask, bits]) => (head & mask) === bits);
  if (found === undefined) throw new Error('no node');
  const [mask, , shape, valueKind] = found;
  let count = head & ~mask & 255;
  if (count === (~mask & 255)) {
    let more = 255;
    while (more === 255) {
      more = byte();
      count += more;
    }
  }
  const packed = nibblesOf(take((count + 1) >> 1));
  const partial = count % 2 === 1 ? packed.slice(1) : packed;
  const bitmap = shape === 'branch' ? byte() | (byte() << 8) : 0;
  let value: Value = { kind: 'none' };
  if (valueKind === 'inline') value = { kind: 'inline', bytes: take(compact()) };
  if (valueKind === 'hash') value = { kind: 'hash', hash: hexOf(take(32)) };
  const children = Array.from({ length: 16 }, (_, slot) =>
    ((bitmap >> slot) & 1) === 1 ? take(compact()) : null,
  );
  if (at !== bytes.length) throw new Error('bytes after a node');
  return { partial, value, children };
};

/** The proven value of a key, or null if its absence is proven. Throws if the proof is incomplete. */
const prove = (root: string, proof: readonly string[], key: Uint8Array): Uint8Array | null => {
  const byHash = new Map(proof.map((node) => [hash(bytesOf(node)), bytesOf(node)]));
  const load = (name: string): Uint8Array => {
    const bytes = byHash.get(name);
    if (bytes === undefined) throw new Error(`the proof lacks ${name}`);
    return bytes;
  };
  const path = nibblesOf(key);
  let node = decode(load(root));
  let at = 0;
  for (;;) {
    if (node.partial.some((nibble, index) => nibble !== path[at + index])) return null;
    at += node.partial.length;
    if (at === path.length) {
      if (node.value.kind === 'none') return null;
      return node.value.kind === 'inline' ? node.value.bytes : load(node.value.hash);
    }
    const child = node.children[path[at] as number];
    if (child === undefined || child === null) return null;
    node = decode(child.length === 32 ? load(hexOf(child)) : child);
    at++;
  }
};

const childKey = (name: string): string =>
  `0x${Buffer.from(':child_storage:default:').toString('hex')}${name.slice(2)}`;
const code = '0x3a636f6465';
const entries = (seed: number, count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const digest = blake2b(Uint8Array.of(seed, index), { dkLen: 32 });
      return [hexOf(digest.slice(0, 2 + (index % 9))), hexOf(digest.slice(0, (index * 7) % 33))];
    }),
  );
const top = entries(1, 120);
const children = { '0x6162': entries(2, 60), '0x61': { '0x': '0x01', '0x00': `0x${'77'.repeat(70)}` } };

/**
 * A chain whose first state has known keys: short, long and empty values, and keys that are prefixes of
 * others.
 */
const open = async () => {
  const wasm = hexOf(await loadDefaultRuntime());
  const raw = { top: { ...top, [code]: wasm }, childrenDefault: children };
  const specJson = JSON.stringify({ name: 'Proofs', id: 'proofs', chainType: 'Local', genesis: { raw } });
  const node = await createNode(createTestPlatform(), testConfig({ specJson }, { keys: [] }));
  const server = createRpcServer(node.parts);
  const settings = { dialect: 'polkadot-sdk', denyUnsafe: false, transport: 'port' } as const;
  const connection = server.connect(() => undefined, settings);
  const ask = async <T>(method: string, params: unknown[]): Promise<T> => {
    const text = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return (JSON.parse(text ?? 'null') as { result: T }).result;
  };
  const { stateRoot } = await ask<{ stateRoot: string }>('chain_getHeader', []);
  return { node, ask, stateRoot };
};
type Proof = { at: string; proof: string[] };

describe('proofs, checked by an independent verifier', () => {
  it('prove values and absence in the main trie', async () => {
    const { node, ask, stateRoot } = await open();
    const keys = [...Object.keys(top), '0x', '0x99', '0xffffffff', `${Object.keys(top)[3]}00`];
    for (const key of keys) {
      const { proof } = await ask<Proof>('state_getReadProof', [[key]]);
      const value = prove(stateRoot, proof, bytesOf(key));
      expect(value === null ? null : hexOf(value)).toBe(top[key] ?? null);
    }
    const { proof } = await ask<Proof>('state_getReadProof', [keys]);
    for (const key of keys) {
      const value = prove(stateRoot, proof, bytesOf(key));
      expect(value === null ? null : hexOf(value)).toBe(top[key] ?? null);
    }
    expect(validateProofs(proof as `0x${string}`[])?.rootHash).toBe(stateRoot);
    await node.close();
  });

  it('prove child tries from the state root down', async () => {
    const { node, ask, stateRoot } = await open();
    for (const [name, pairs] of Object.entries<Record<string, string>>(children)) {
      const storageKey = childKey(name);
      const keys = [...Object.keys(pairs), '0xee', '0x0102030405'];
      const { proof } = await ask<Proof>('state_getChildReadProof', [storageKey, keys]);
      const root = prove(stateRoot, proof, bytesOf(storageKey));
      expect(root?.length).toBe(32);
      for (const key of keys) {
        const value = prove(hexOf(root as Uint8Array), proof, bytesOf(key));
        expect(value === null ? null : hexOf(value)).toBe(pairs[key] ?? null);
      }
    }
    const none = await ask<Proof>('state_getChildReadProof', [childKey('0x7a7a'), ['0x01']]);
    expect(prove(stateRoot, none.proof, bytesOf(childKey('0x7a7a')))).toBe(null);
    expect((await ask<Proof>('state_getChildReadProof', [childKey('0x6162'), []])).proof).toEqual([]);
    await node.close();
  });

  it('fail when a node is altered or missing', async () => {
    const { node, ask, stateRoot } = await open();
    const key = Object.keys(top)[7] as string;
    const { proof } = await ask<Proof>('state_getReadProof', [[key]]);
    for (const [index, text] of proof.entries()) {
      const last = text.at(-1) === '0' ? '1' : '0';
      const altered = proof.with(index, text.slice(0, -1) + last);
      expect(() => prove(stateRoot, altered, bytesOf(key))).toThrow('the proof lacks');
      expect(() => prove(stateRoot, proof.toSpliced(index, 1), bytesOf(key))).toThrow('the proof lacks');
    }
    await node.close();
  });
});
