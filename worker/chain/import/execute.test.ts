import { expect, it } from 'vitest';
import { NodeError } from '../../../src/protocol/errors.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import type { CallOptions } from '../../executor/executor.ts';
import { createSignatureCache } from '../../executor/signature-cache.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import type { Proofs } from '../proofs.ts';
import { openTrieStore } from '../states/trie-store.ts';
import type { VerifiedBlock } from '../steps.ts';
import { executeBlock } from './execute.ts';

/** Executes a block whose execution changes nothing. Returns the result and the options of the call. */
const run = async (isSealed: boolean, record: Proofs['record'], apis: readonly string[] = []) => {
  const { blake2b256 } = await loadCrypto();
  const limits = { cacheBytes: 1e6, journalBytes: 1e6 };
  const onError = () => undefined;
  const store = await openTrieStore(createMemoryDatabase(), { ...limits, blake2b256, onError });
  const backend = createEmptyBackend({ blake2b256, source: store });
  const asked: CallOptions[] = [];
  const runtime = {
    version: {},
    apiVersion: (name: string) => (apis.includes(name) ? 1 : null),
    call: (_overlay: unknown, _method: string, _input: Uint8Array, options: CallOptions) => {
      asked.push(options);
      return { ok: true, output: new Uint8Array(), logs: [] };
    },
  };
  const root = new Uint8Array(32);
  const header = { parentHash: root, number: 1, stateRoot: backend.root, extrinsicsRoot: root, digest: [] };
  const verified = { isSealed, runtime, block: { header, extrinsics: [] }, parent: {}, extrinsicsRoot: null };
  const deps = {
    store,
    view: { backendAt: async () => backend },
    signatures: createSignatureCache(),
    batchSignatures: async () => null,
  };
  const result = await executeBlock(
    { ...deps, proofs: { record } },
    verified as unknown as VerifiedBlock,
    null,
  );
  return { result, asked };
};

const unasked = () => Promise.reject(new Error('The runtime is no parachain'));

it.each([
  [true, 'sealed'],
  [false, 'import'],
])('a block with a verified seal (%s) has the fuel of %s', async (isSealed, fuel) => {
  const { result, asked } = await run(isSealed, unasked);
  expect(result).toMatchObject({ ok: true });
  expect(asked.map((options) => options.fuel)).toEqual([fuel]);
});

it.each(['StateDiscarded', 'UnknownBlock', 'BadBlock'] as const)(
  'a block of a bundle is refused if the earlier ones cannot be executed again: %s',
  async (code) => {
    const fail = () => Promise.reject(new NodeError(code, 'why'));
    for (const api of ['CollectCollationInfo', 'AuraUnincludedSegmentApi']) {
      const { result, asked } = await run(true, fail, [api]);
      expect(result).toEqual({ ok: false, code, message: 'Block #1: why' });
      expect(asked).toEqual([]);
    }
    await expect(run(true, unasked, ['CollectCollationInfo'])).rejects.toThrow('no parachain');
  },
);
