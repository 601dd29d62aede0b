import { describe, expect, test } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../test/rigs/fixtures.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import { createNodeMap } from '../trie/node-source.ts';
import { createExecutor } from './executor.ts';
import * as api from './runtime-api.ts';
import * as consensus from './runtime-api-consensus.ts';

type Spec = { genesis: { raw: { top: Record<string, string> } } };
const crypto = await loadCrypto();

const open = async (file: string) => {
  const { top } = (await loadFixtureJson<Spec>(`chains/${file}`)).genesis.raw;
  const main = Object.entries(top).map(([key, value]) => [hexToBytes(key), hexToBytes(value)] as const);
  const source = createNodeMap();
  const made = createEmptyBackend({ blake2b256: crypto.blake2b256, source }).commit(
    { main, children: [], offchain: [] },
    0,
  );
  source.add(made.nodes);
  const code = hexToBytes(top['0x3a636f6465'] ?? '');
  const runtime = createExecutor({ crypto }).load(crypto.blake2b256(code), code);
  return (): api.ApiTarget => ({ runtime, overlay: createOverlay(made.backend) });
};

const zeros = new Uint8Array(32);
const parent = { hash: zeros, number: 0 };
/** System.remark as a bare extrinsic: it decodes, but needs a signature. */
const unsigned = Uint8Array.of(16, 4, 0, 1, 0);

describe.skipIf(!hasFixtures)('typed runtime APIs', () => {
  test('Westend returns its BABE and GRANDPA data', async () => {
    const target = await open('westend-raw.json');
    const configuration = consensus.babeConfiguration(target());
    expect(configuration).toMatchObject({
      slotDurationMs: 6000n,
      epochLength: 600n,
      c: [1n, 4n],
      allowedSlots: 1,
    });
    expect(configuration.authorities.map((authority) => authority.weight)).toEqual([1n, 1n, 1n, 1n]);
    expect(configuration.randomness).toEqual(zeros);
    expect(consensus.grandpaAuthorities(target()).length).toBe(4);
  });
  test('the development chain of Westend supports all of them', async () => {
    const target = await open('westend-dev-raw.json');
    const [current, next] = [consensus.babeCurrentEpoch(target()), consensus.babeNextEpoch(target())];
    expect(next.index).toBe(current.index + 1n);
    expect(consensus.babeCurrentEpochStart(target())).toBe(current.startSlot);
    expect(consensus.grandpaCurrentSetId(target())).toBe(0n);
    const [authority] = current.authorities;
    expect(current.authorities.length).toBe(1);
    expect(consensus.babeKeyOwnershipProof(target(), 0n, authority?.publicKey ?? zeros)).toBeInstanceOf(
      Uint8Array,
    );
    expect(api.accountNonce(target(), zeros)).toBe(0);
    expect(api.coreVersion(target()).specName).toBe('westend');
    expect(api.metadata(target()).subarray(0, 4)).toEqual(Uint8Array.from([0x6d, 0x65, 0x74, 0x61]));
    expect(api.validateTransaction(target(), unsigned, 2, parent).kind).not.toBe('valid');
    expect(() => consensus.auraAuthorities(target())).toThrow(
      expect.objectContaining({ code: 'MissingApi' }),
    );
  });
  test("session keys come from the call's keystore, and can be decoded", async () => {
    const target = await open('westend-dev-raw.json');
    let made = 0;
    const keystore = {
      publicKeys: () => [],
      generate: (_type: string, scheme: string) => new Uint8Array(scheme === 'ecdsa' ? 33 : 32).fill(++made),
      sign: () => null,
      signPrehashed: () => null,
    };
    const { keys, proof } = api.generateSessionKeys(
      { ...target(), options: { extensions: { keystore } } },
      null,
    );
    const decoded = api.decodeSessionKeys(target(), keys);
    expect(proof).toBeNull();
    expect(decoded?.length).toBe(made);
    expect(decoded?.map(([, type]) => type)).toContain('babe');
    expect(() => api.generateSessionKeys(target(), null)).toThrow(
      expect.objectContaining({ code: 'RuntimeTrap' }),
    );
  });
  test('the node template returns its Aura data, builds a block and weighs an extrinsic', async () => {
    const target = await open('node-template-raw.json');
    expect(consensus.auraSlotDurationMs(target())).toBeGreaterThan(0n);
    expect(consensus.auraAuthorities(target()).length).toBeGreaterThan(0);
    const building = target();
    const slot = hexToBytes('0x0661757261200100000000000000');
    const header = { parentHash: zeros, number: 1, stateRoot: zeros, extrinsicsRoot: zeros, digest: [slot] };
    expect(api.coreInitializeBlock(building, header)).toBe('allExtrinsics');
    // timstap0 is one slot, so that the slot matches.
    const data = hexToBytes('0x0474696d737461703020' + '7017000000000000');
    const inherents = api.inherentExtrinsics(building, data);
    expect(inherents.length).toBe(1);
    const [first = unsigned] = inherents;
    expect(api.applyExtrinsic(building, first)).toEqual({ kind: 'applied', dispatchError: null });
    const refused = api.applyExtrinsic(building, unsigned);
    expect(refused.kind === 'applied' && refused.dispatchError).toBeInstanceOf(Uint8Array);
    const made = api.finalizeBlock(building);
    expect(made.number).toBe(1);
    expect(bytesToHex(made.stateRoot)).toBe(bytesToHex(building.overlay.root(0)));
    const block = { header: made, extrinsics: [first, unsigned] };
    api.coreExecuteBlock(target(), block);
    expect(api.checkInherents(target(), block, data)).toMatchObject({ okay: true, errors: [] });
  });
});
