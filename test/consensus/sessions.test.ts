import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { describe, expect, it } from 'vitest';
import type { ChainSource } from '../../src/protocol/node.ts';
import { equalBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Header } from '../../worker/codec/header.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import { createEpochLookup } from '../../worker/consensus/babe/babe.ts';
import { headerPreDigest, type PreDigest } from '../../worker/consensus/babe/codec.ts';
import {
  primaryThreshold,
  secondaryAuthor,
  slotScore,
  slotTranscript,
} from '../../worker/consensus/babe/lottery.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { babeConfiguration } from '../../worker/executor/runtime-api-consensus.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createOverlay } from '../../worker/state/overlay.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

const hour = 3_600_000;
const keyring = new Keyring({ type: 'sr25519' });

const createDisk = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });

const seal = async (node: Node, wall = false): Promise<BlockHash> => {
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false, wall });
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.hash;
};

const blockJson = async (node: Node, hash: BlockHash) => {
  const block = await node.parts.chain.loadBlock(hash);
  if (block === null) throw new Error(`no block ${hash}`);
  return signedBlockToJson(block);
};

/** A second, fresh node re-executes every block from its SCALE bytes. */
const replay = async (from: Node, chain: ChainSource): Promise<void> => {
  const second = await createNode(createTestPlatform(), testConfig(chain, { keys: [] }));
  const best = from.parts.chain.best();
  for (let number = 1; number <= best.number; number++) {
    const hash = (await from.parts.chain.loadHashAt(number)) as BlockHash;
    expect(await second.importBlock(await blockJson(from, hash))).toEqual({ hash, number });
  }
  expect(second.parts.chain.best().hash).toBe(best.hash);
  await second.close();
};

const preDigestAt = async (node: Node, hash: BlockHash): Promise<PreDigest> => {
  const digest = headerPreDigest((await node.parts.chain.loadHeader(hash)) as Header);
  if (digest === null) throw new Error('no pre-digest');
  return digest;
};

const untilBest = (node: Node, number: number): Promise<void> =>
  new Promise((resolve) => {
    if (node.parts.chain.best().number >= number) {
      resolve();
      return;
    }
    const off = node.parts.chain.onEvent((event) => {
      if (event.kind !== 'imported' || event.number < number) return;
      off();
      resolve();
    });
  });

describe('a reopened chain', () => {
  it('after 100 instant blocks has the same blocks, continues, and a second node agrees', async () => {
    await cryptoWaitReady();
    const db = createDisk();
    const config = testConfig('development', { seal: { kind: 'instant' } });
    const platform = createTestPlatform({ db });
    const node = await createNode(platform, config);
    const { api, close } = await openApi(node);
    const alice = keyring.addFromUri('//Alice');
    for (let nonce = 0; node.parts.chain.best().number < 100; nonce++) {
      const imported = untilBest(node, node.parts.chain.best().number + 1);
      await api.tx['system']
        ?.['remark']?.(`0x${nonce.toString(16).padStart(4, '0')}`)
        .signAsync(alice, { nonce })
        .then((signed) => signed.send());
      await imported;
    }
    await close();
    await node.close();
    const before = node.parts.chain.best();
    expect(platform.errors).toEqual([]);

    const again = await createNode(createTestPlatform({ db }), config);
    expect(again.parts.chain.best()).toEqual(before);
    expect(again.parts.chain.finalized()).toEqual(node.parts.chain.finalized());
    expect(again.parts.chain.genesisHash).toBe(node.parts.chain.genesisHash);
    await seal(again);
    expect(again.parts.chain.best().number).toBe(before.number + 1);
    await replay(again, 'development');
    await again.close();
  }, 240_000);

  it.each([2, 7, 24 * 30])(
    'after being closed for %i hours, more than an epoch, seals in the current epoch',
    async (hours) => {
      const db = createDisk();
      let now = 1_700_000_000_000;
      const open = () => createNode(createTestPlatform({ db, now: () => now }), testConfig('development'));
      const first = await open();
      for (let block = 0; block < 5; block++) await seal(first);
      await first.close();
      now += hours * hour;
      const node = await open();
      const late = await seal(node, true);
      expect((await preDigestAt(node, late)).slot).toBe(BigInt(Math.floor(now / 6000)));
      for (let block = 0; block < 25; block++) await seal(node);
      now += 2 * hour;
      await seal(node, true);
      await seal(node);
      expect(node.parts.chain.best().number).toBe(33);
      await replay(node, 'development');
      await node.close();
    },
    120_000,
  );
});

/** Verifies that a block's author won its slot, by the lottery over its parent's state. */
const checkClaim = async (node: Node, hash: BlockHash): Promise<PreDigest> => {
  const { chain, crypto } = node.parts;
  const { parentHash } = (await chain.loadHeader(hash)) as Header;
  const parent = bytesToHex(parentHash) as string as BlockHash;
  const runtime = await chain.runtimeAt(parent);
  const parentHeader = (await chain.loadHeader(parent)) as Header;
  const digest = await preDigestAt(node, hash);
  await chain.withState(parent, (backend) => {
    const input = { parentHash, parentHeader, backend, runtime, slot: 'next' } as const;
    const epoch = createEpochLookup(
      input,
      babeConfiguration({ runtime, overlay: createOverlay(backend) }),
    )(digest.slot);
    const author = epoch.authorities[digest.authority];
    if (author === undefined) throw new Error('no such authority');
    if (digest.kind !== 'primary') expect(digest.authority).toBe(secondaryAuthor(crypto, digest.slot, epoch));
    if (digest.vrf === null) return;
    const transcript = slotTranscript(digest.slot, epoch);
    expect(
      crypto.sr25519VrfVerify(author.publicKey, transcript, digest.vrf.preOutput, digest.vrf.proof),
    ).toBe(true);
    if (digest.kind !== 'primary') return;
    const score = slotScore(crypto, author.publicKey, transcript, digest.vrf.preOutput);
    expect(score < primaryThreshold(epoch.c, epoch.authorities, digest.authority)).toBe(true);
  });
  return digest;
};

const authorityIndex = async (node: Node): Promise<number> => {
  const { chain } = node.parts;
  const runtime = await chain.runtimeAt(chain.genesisHash);
  const [own] = node.parts.keystore.pairs('babe');
  const { authorities } = await chain.withState(chain.genesisHash, (backend) =>
    babeConfiguration({ runtime, overlay: createOverlay(backend) }),
  );
  expect(authorities.length).toBe(2);
  return authorities.findIndex(({ publicKey }) => own !== undefined && equalBytes(publicKey, own.publicKey));
};

describe('local_testnet', () => {
  it('with only //Alice seals 30 blocks, all in her slots', async () => {
    const node = await createNode(createTestPlatform(), testConfig('local_testnet'));
    const alice = await authorityIndex(node);
    const slots: bigint[] = [];
    for (let block = 0; block < 30; block++) {
      const digest = await checkClaim(node, await seal(node));
      expect(digest.authority).toBe(alice);
      slots.push(digest.slot);
    }
    const passed = (slots.at(-1) as bigint) - (slots[0] as bigint);
    expect(passed).toBeGreaterThan(29n);
    await replay(node, 'local_testnet');
    await node.close();
  }, 120_000);

  it('//Alice and //Bob seal on each other’s blocks; without a key no blocks are sealed', async () => {
    const alice = await createNode(createTestPlatform(), testConfig('local_testnet', { keys: ['//Alice'] }));
    const bob = await createNode(createTestPlatform(), testConfig('local_testnet', { keys: ['//Bob'] }));
    const mute = await createNode(createTestPlatform(), testConfig('local_testnet', { keys: [] }));
    const indices = [await authorityIndex(alice), await authorityIndex(bob)];
    for (let round = 0; round < 12; round++) {
      const [author, other] = round % 2 === 0 ? [alice, bob] : [bob, alice];
      const hash = await seal(author);
      expect((await checkClaim(author, hash)).authority).toBe(indices[round % 2]);
      const json = await blockJson(author, hash);
      await other.importBlock(json);
      await mute.importBlock(json);
    }
    const refused = await mute.parts.author.seal({ createEmpty: true, finalize: false });
    expect(refused).toMatchObject({ ok: false, code: 'NoClaimableKey' });
    expect(mute.parts.chain.best()).toEqual(alice.parts.chain.best());
    await Promise.all([alice, bob, mute].map((node) => node.close()));
  }, 120_000);
});
