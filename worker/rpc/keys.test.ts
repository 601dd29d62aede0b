import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureText } from '../../test/rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { connectRpc } from '../../test/rigs/rpc.ts';
import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { Header } from '../codec/header.ts';
import { headerPreDigest } from '../consensus/babe/codec.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { ss58Encode } from '../crypto/ss58.ts';
import type { Database } from '../db/database.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import { createNode, type Node } from '../node.ts';
import { sdk } from './dialects/sdk.ts';
import { createFakeNode } from './fake-parts.fixture.ts';
import { babeMethods } from './methods/babe.ts';

const { suriToPair } = await loadCrypto();
const alice = bytesToHex(suriToPair('//Alice', 'sr25519').publicKey);
const createDisk = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });
const open = (db: Database = createDisk(), chain: 'development' | 'local_testnet' = 'development') =>
  createNode(createTestPlatform({ db }), testConfig(chain, { keys: [] }));
const closed = async (node: Node, work: () => Promise<void>): Promise<void> => {
  await work();
  await node.close();
};

describe('configured keys', () => {
  it.skipIf(!hasFixtures)(
    'are stored under every session key type of the runtime, and not on disk',
    async () => {
      const specJson = await loadFixtureText('chains/westend-dev-raw.json');
      const db = createDisk();
      const node = await createNode(createTestPlatform({ db }), testConfig({ specJson }));
      const { call } = connectRpc(node);
      const gran = bytesToHex(suriToPair('//Alice', 'ed25519').publicKey);
      // GRANDPA, BABE and four more sr25519 keys, in the order the runtime declares them.
      const others = alice.slice(2).repeat(5);
      expect(await call('author_hasSessionKeys', `${gran}${others}`)).toBe(true);
      for (const type of ['imon', 'para', 'asgn', 'audi', 'babe'])
        expect(await call('author_hasKey', alice, type)).toBe(true);
      await node.close();
      expect(await db.range('keystore')).toEqual([]);
    },
  );
});

describe('author_insertKey', () => {
  it('lets a node without keys author, also after it is reopened', async () => {
    const db = createDisk();
    for (const round of [0, 1]) {
      const node = await open(db);
      const { ask } = connectRpc(node);
      if (round === 0) {
        const refused = await ask('engine_createBlock', true, false);
        expect(refused.error?.message).toContain('No key of the keystore may author block #1');
        expect(await ask('author_insertKey', 'babe', '//Alice', alice)).toEqual({ result: null });
      }
      expect(await ask('author_hasKey', alice, 'babe')).toEqual({ result: true });
      expect(await ask('author_hasKey', alice, 'gran')).toEqual({ result: false });
      expect((await ask('engine_createBlock', true, false)).error).toBeUndefined();
      expect(node.parts.chain.best().number).toBe(round + 1);
      await node.close();
    }
  });

  it("refuses key types with the dialect's message", async () => {
    const node = await open();
    const sdk = connectRpc(node);
    const psp6 = connectRpc(node, { dialect: 'psp-6' });
    const fourBytes = { code: 1040, message: 'Invalid key type ID format (should be of length four)' };
    const unknown = {
      code: 1017,
      message:
        'The crypto for the given key type is unknown, please add the public key to the request to insert the key successfully.',
    };
    await closed(node, async () => {
      for (const type of ['bab', 'babee', '', 'ü1']) {
        expect((await sdk.ask('author_insertKey', type, '//Alice', alice)).error).toEqual(fourBytes);
        expect((await sdk.ask('author_hasKey', alice, type)).error).toEqual(fourBytes);
        expect((await psp6.ask('author_insertKey', type, '//Alice', alice)).error).toEqual(unknown);
        expect((await psp6.ask('author_hasKey', alice, type)).error).toEqual(unknown);
      }
      expect(await sdk.ask('author_insertKey', 'zzzz', '//Alice', alice)).toEqual({ result: null });
      expect((await psp6.ask('author_insertKey', 'zzzz', '//Alice', alice)).error).toEqual(unknown);
      for (const type of ['babe', 'gran', 'acco', 'aura', 'imon', 'audi', 'dumy'])
        expect(await psp6.ask('author_insertKey', type, `0x${'12'.repeat(32)}`, alice)).toEqual({
          result: null,
        });
    });
  });

  it('returns 1040 if the key could not be written', async () => {
    const disk = createDisk();
    const write: Database['write'] = async (batch) => {
      if (batch.puts.some(([store]) => store === 'keystore')) throw new Error('the disk is gone');
      return disk.write(batch);
    };
    const node = await open({ ...disk, write });
    const { ask } = connectRpc(node);
    const answer = await ask('author_insertKey', 'babe', '//Alice', alice);
    expect(answer.error).toEqual({ code: 1040, message: 'The key store is unavailable' });
    await node.close().catch(() => undefined);
  });
});

describe('session keys', () => {
  it('are rotated: new each time, and kept over a restart', async () => {
    const db = createDisk();
    const node = await open(db);
    const rpc = connectRpc(node);
    const keys = [await rpc.call<string>('author_rotateKeys'), await rpc.call<string>('author_rotateKeys')];
    expect(keys[0]).not.toBe(keys[1]);
    // BABE and GRANDPA.
    for (const key of keys) expect(hexToBytes(key).length).toBe(64);
    await node.close();
    const again = await open(db);
    const { ask } = connectRpc(again);
    await closed(again, async () => {
      for (const key of keys) {
        expect(await ask('author_hasSessionKeys', key)).toEqual({ result: true });
        expect(await ask('author_hasKey', key.slice(0, 66), 'babe')).toEqual({ result: true });
        expect(await ask('author_hasKey', `0x${key.slice(66)}`, 'gran')).toEqual({ result: true });
      }
      const mixed = `${alice}${(keys[0] as string).slice(66)}`;
      expect(await ask('author_hasSessionKeys', mixed)).toEqual({ result: false });
      expect((await ask('author_hasSessionKeys', '0x12')).error).toEqual({
        code: 1040,
        message: 'Session keys are not encoded correctly',
      });
    });
  });

  it('include a proof of possession for an owner', async () => {
    const node = await open();
    const { call } = connectRpc(node);
    const { crypto } = node.parts;
    const made = await call<{ keys: string; proof: string }>('author_rotateKeysWithOwner', alice);
    const [keys, proof] = [hexToBytes(made.keys), hexToBytes(made.proof)];
    const statement = concatBytes(textToBytes('POP_'), hexToBytes(alice));
    expect(proof.length).toBe(128);
    expect(crypto.sr25519Verify(proof.subarray(0, 64), statement, keys.subarray(0, 32))).toBe(true);
    expect(crypto.ed25519Verify(proof.subarray(64), statement, keys.subarray(32))).toBe(true);
    await node.close();
  });

  it.skipIf(!hasFixtures)('have no proof if the runtime has the older API', async () => {
    const specJson = await loadFixtureText('chains/westend-dev-raw.json');
    const node = await createNode(createTestPlatform(), testConfig({ specJson }, { keys: [] }));
    const { ask, call } = connectRpc(node);
    const keys = await call<string>('author_rotateKeys');
    expect(await ask('author_hasSessionKeys', keys)).toEqual({ result: true });
    expect((await ask('author_rotateKeysWithOwner', alice)).error).toEqual({
      code: 1040,
      message: 'Runtime does not support generating ownership proofs (requires SessionKeys API >= v3)',
    });
    await node.close();
  });
});

type Authorship = Record<string, Record<'primary' | 'secondary' | 'secondary_vrf', number[]>>;

const kinds = { primary: 'primary', secondaryPlain: 'secondary', secondaryVrf: 'secondary_vrf' } as const;

const preDigestOf = async (node: Node) =>
  headerPreDigest((await node.parts.chain.loadHeader(node.parts.chain.best().hash)) as Header);

describe('babe_epochAuthorship', () => {
  it.each(['development', 'local_testnet'] as const)(
    '%s: predicts the slots of the blocks',
    async (chain) => {
      const node = await open(createDisk(), chain);
      const { call } = connectRpc(node);
      expect(await call('babe_epochAuthorship')).toEqual({});
      node.parts.keystore.insertSuri('babe', 'sr25519', '//Alice');
      // Block 1 starts the first epoch.
      await call('engine_createBlock', true, false);
      const first = (await preDigestOf(node))?.slot ?? 0n;
      const authorship = await call<Authorship>('babe_epochAuthorship');
      const address = ss58Encode(node.parts.crypto, hexToBytes(alice), 42);
      expect(Object.keys(authorship)).toEqual([address]);
      const own = authorship[address] as Authorship[string];
      const all = [...own.primary, ...own.secondary, ...own.secondary_vrf].sort((a, b) => a - b);
      expect(new Set(all).size).toBe(all.length);
      const claimed: bigint[] = [first];
      for (let block = 2; block <= 8; block++) {
        await call('engine_createBlock', true, false);
        const digest = await preDigestOf(node);
        if (digest === null) throw new Error('no pre-digest');
        if (digest.slot > BigInt(all.at(-1) ?? 0)) break;
        expect(own[kinds[digest.kind]]).toContain(Number(digest.slot));
        claimed.push(digest.slot);
      }
      // Every claimable slot in this range was listed, and every listed slot was used.
      const last = claimed.at(-1) ?? 0n;
      const told = all.filter((slot) => slot >= Number(first) && slot <= Number(last));
      expect(told).toEqual(claimed.map(Number));
      expect(claimed.length).toBeGreaterThan(2);
      await node.close();
    },
  );

  it.skipIf(!hasFixtures)('returns 9002 if the runtime has no BABE', async () => {
    const specJson = await loadFixtureText('chains/node-template-raw.json');
    const node = await createNode(createTestPlatform(), testConfig({ specJson }));
    expect(await connectRpc(node).ask('babe_epochAuthorship')).toEqual({
      error: { code: 9002, message: 'Failed to fetch epoch data' },
    });
    await node.close();
  });

  it('distinguishes a missing header from a runtime that traps', async () => {
    const { parts } = createFakeNode();
    const context = {
      connection: 1,
      dialect: sdk,
      denyUnsafe: false,
      methods: [],
      maxResponseBytes: 1000,
      signal: new AbortController().signal,
      isShared: false,
      caller: {},
      after: () => undefined,
    } as const;
    const codeOf = async (chain: Partial<typeof parts.chain>) =>
      Promise.resolve(
        babeMethods.babe_epochAuthorship({ ...parts, chain: { ...parts.chain, ...chain } }, {}, context),
      ).catch((error: { code: number; message: string }) => [error.code, error.message]);
    expect(await codeOf({ loadHeader: async () => null })).toEqual([
      9001,
      expect.stringContaining('Failed to fetch the current best header: '),
    ]);
    const trapping = { call: () => ({ ok: false, kind: 'trap', trap: 'unreachable', logs: [] }) };
    expect(await codeOf({ runtimeAt: async () => trapping as never })).toEqual([
      9004,
      'BabeApi_current_epoch_start: unreachable',
    ]);
  });
});
