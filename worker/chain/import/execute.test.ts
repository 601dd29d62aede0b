import { expect, it } from 'vitest';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import type { CallOptions } from '../../executor/executor.ts';
import { createSignatureCache } from '../../executor/signature-cache.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import { openTrieStore } from '../states/trie-store.ts';
import type { VerifiedBlock } from '../steps.ts';
import { executeBlock } from './execute.ts';

it.each([
  [true, 'sealed'],
  [false, 'import'],
])('a block with a verified seal (%s) has the fuel of %s', async (isSealed, fuel) => {
  const { blake2b256 } = await loadCrypto();
  const limits = { cacheBytes: 1e6, journalBytes: 1e6 };
  const store = await openTrieStore(createMemoryDatabase(), {
    ...limits,
    blake2b256,
    onError: () => undefined,
  });
  const backend = createEmptyBackend({ blake2b256, source: store });
  const asked: CallOptions[] = [];
  const runtime = {
    version: {},
    apiVersion: () => null,
    call: (_overlay: unknown, _method: string, _input: Uint8Array, options: CallOptions) => {
      asked.push(options);
      return { ok: true, output: new Uint8Array(), logs: [] };
    },
  };
  const root = new Uint8Array(32);
  const header = { parentHash: root, number: 1, stateRoot: backend.root, extrinsicsRoot: root, digest: [] };
  const verified = { isSealed, runtime, block: { header, extrinsics: [] }, parent: {}, extrinsicsRoot: null };
  const result = await executeBlock(
    {
      store,
      view: { backendAt: async () => backend },
      signatures: createSignatureCache(),
      proofs: { record: () => Promise.reject(new Error('It is no parachain')) },
    },
    verified as unknown as VerifiedBlock,
    null,
  );
  expect(result).toMatchObject({ ok: true });
  expect(asked.map((options) => options.fuel)).toEqual([fuel]);
});
