import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureText } from '../../test/rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { connectRpc } from '../../test/rigs/rpc.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { CallExtensions } from '../executor/extensions.ts';
import { createNode, type Node } from '../node.ts';
import { createFakeNode } from './fake-parts.fixture.ts';

const hash = (byte: string): string => byte.repeat(32);
/** One leaf of four bytes; index 1 of 9 leaves and two hashes: encoded as in mmr-rpc. */
const leaves = '0x041001020304';
const proof = `0x0401000000000000000900000000000000${'08'}${hash('01')}${hash('02')}`;

/** A runtime with an MMR and fixed outputs, which records its inputs. */
const createMountain = (answers: Readonly<Record<string, string>>) => {
  const { parts } = createFakeNode();
  const inputs: [method: string, input: string][] = [];
  const asked: (Uint8Array | null)[] = [];
  const loaded = new Map<string, Uint8Array>();
  const chain = {
    ...parts.chain,
    runtimeAt: async (at: BlockHash) => ({
      ...(await parts.chain.runtimeAt(at)),
      apiVersion: () => 2,
      hasExport: () => false,
    }),
    callAt: async (
      _at: BlockHash,
      method: string,
      input: Uint8Array,
      options: { extensions?: CallExtensions },
    ) => {
      asked.push(options.extensions?.offchain?.localStorageGet(0, Uint8Array.of(7)) ?? null);
      inputs.push([method, bytesToHex(input)]);
      return { ok: true, output: hexToBytes(answers[method] ?? '0x0106'), logs: [] };
    },
  };
  // Behaves like IndexedDB: nothing is available synchronously before the first read.
  const storage = {
    ...parts.offchain.storage,
    peek: (_owner: null, key: Uint8Array) => loaded.get(bytesToHex(key)),
    load: async (_owner: null, key: Uint8Array) => {
      loaded.set(bytesToHex(key), Uint8Array.of(8));
      return Uint8Array.of(8);
    },
  };
  const node = { parts: { ...parts, chain, offchain: { storage } } } as unknown as Node;
  return { ...connectRpc(node), inputs, asked, best: parts.chain.best().hash };
};

describe('mmr_*', () => {
  it('encodes calls like the runtime and responses like the SDK', async () => {
    const { call, inputs, asked, best } = createMountain({
      MmrApi_mmr_root: `0x00${hash('5c')}`,
      MmrApi_generate_proof: `0x00${leaves.slice(2)}${proof.slice(2)}`,
      MmrApi_verify_proof: '0x00',
      MmrApi_verify_proof_stateless: '0x00',
    });
    expect(await call('mmr_root')).toBe(`0x${hash('5c')}`);
    const made = { blockHash: best, leaves, proof };
    expect(await call('mmr_generateProof', [2, 3], 4)).toEqual(made);
    expect(await call('mmr_generateProof', [2])).toEqual(made);
    expect(await call('mmr_verifyProof', made)).toBe(true);
    expect(await call('mmr_verifyProofStateless', `0x${hash('5c')}`, made)).toBe(true);
    const given = leaves.slice(2) + proof.slice(2);
    expect(inputs).toEqual([
      ['MmrApi_mmr_root', '0x'],
      ['MmrApi_generate_proof', '0x0802000000030000000104000000'],
      ['MmrApi_generate_proof', '0x040200000000'],
      ['MmrApi_verify_proof', `0x${given}`],
      ['MmrApi_verify_proof_stateless', `0x${hash('5c')}${given}`],
    ]);
    // Each call could read the index; only the first one had to wait.
    expect(asked).toEqual(inputs.map(() => Uint8Array.of(8)));
  });

  it.each([
    [0, 8014, 'InvalidNumericOp'],
    [4, 8012, 'GenerateProof'],
    [5, 8013, 'Verify'],
    [6, 8011, 'LeafNotFound'],
    [7, 8010, 'PalletNotIncluded'],
    [9, 8015, 'InvalidBestKnownBlock'],
  ])('error %i of the pallet is %i', async (index, code, data) => {
    const { ask } = createMountain({ MmrApi_generate_proof: `0x010${index}` });
    expect((await ask('mmr_generateProof', [2])).error).toMatchObject({ code, data });
  });

  it('refuses bad input', async () => {
    const { ask, best: blockHash, inputs } = createMountain({});
    for (const given of [
      { blockHash, leaves: '0x', proof: '0x' },
      { blockHash, leaves: '0xffffffff', proof },
      { blockHash, leaves: `${leaves}00`, proof },
      { blockHash, leaves, proof: `${proof}00` },
      { blockHash, leaves },
      { blockHash: '0x01', leaves, proof },
      [],
      null,
    ])
      expect((await ask('mmr_verifyProof', given)).error?.code).toBe(-32602);
    for (const numbers of [3, null, [-1], ['x'], [2 ** 32]])
      expect((await ask('mmr_generateProof', numbers)).error?.code).toBe(-32602);
    expect(inputs).toEqual([]);
  });

  it.skipIf(!hasFixtures)('is listed if the runtime has the API: westend, whose range is empty', async () => {
    const specJson = await loadFixtureText('chains/westend-dev-raw.json');
    const node = await createNode(createTestPlatform(), testConfig({ specJson }));
    const { ask, call } = connectRpc(node);
    const { methods } = await call<{ methods: string[] }>('rpc_methods');
    expect(methods.filter((name) => name.startsWith('mmr_')).length).toBe(4);
    expect((await ask('mmr_root')).error).toEqual({
      code: 8010,
      message: 'MMR pallet not included',
      data: 'PalletNotIncluded',
    });
    // Its proofs are for single leaves by index, which the current methods cannot request.
    expect((await ask('mmr_generateProof', [2])).error).toMatchObject({ code: 8000 });
    const unknown = `0x${hash('11')}`;
    expect((await ask('mmr_root', unknown)).error).toMatchObject({
      code: 8000,
      message: 'Runtime trapped',
    });
    await node.close();
  });

  it('is neither listed nor callable if the runtime lacks the API', async () => {
    const node = await createNode(createTestPlatform(), testConfig('development'));
    const { ask, call } = connectRpc(node);
    const { methods } = await call<{ methods: string[] }>('rpc_methods');
    expect(methods.filter((name) => name.startsWith('mmr_'))).toEqual([]);
    expect((await ask('mmr_root')).error).toEqual({ code: -32601, message: 'Method not found' });
    await node.close();
  });
});
