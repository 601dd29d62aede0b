import { beforeAll, describe, expect, it } from 'vitest';
import { proposeBlock } from '../../worker/author/proposer.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Block } from '../../worker/codec/block.ts';
import { encodeEngineItem } from '../../worker/codec/digest.ts';
import { encodeHeader } from '../../worker/codec/header.ts';
import { blockHashToBytes } from '../../worker/codec/identity.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { claimSlot } from '../../worker/consensus/babe/babe.ts';
import { encodePreDigest, headerNextEpoch, headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import { slotTranscript } from '../../worker/consensus/babe/lottery.ts';
import { targetOf } from '../../worker/executor/runtime-api.ts';
import { type BabeEpoch, babeConfiguration } from '../../worker/executor/runtime-api-consensus.ts';
import { createSignatureCache } from '../../worker/executor/signature-cache.ts';
import type { Node } from '../../worker/node.ts';
import { createNode } from '../../worker/node.ts';
import { createOverlay } from '../../worker/state/overlay.ts';
import { startPace } from '../../worker/tasks/pace.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealWith } from '../rigs/reseal.ts';
import { expectRefused, importFile, openAt, withItem } from './verify-rig.ts';

const names = ['//Alice', '//Bob', '//Charlie', '//Dave'];
const nowMs = Date.UTC(2026, 0);
const firstSlot = BigInt(Date.UTC(2020, 5, 1)) / 6000n;

const configurationOf = ({ parts: { chain } }: Node) =>
  chain.view.readState(chain.genesisHash, (at) => babeConfiguration(targetOf(at)));

/** Westend's genesis and runtime of 2020, with known keys. */
const makeSpec = async (): Promise<string> => {
  let specJson = await loadFixtureText('chains/westend-raw.json');
  const node = await openAt(nowMs, { specJson });
  for (const [index, { publicKey }] of (await configurationOf(node)).authorities.entries()) {
    const own = node.parts.crypto.suriToPair(names[index] as string, 'sr25519').publicKey;
    specJson = specJson.replaceAll(bytesToHex(publicKey).slice(2), bytesToHex(own).slice(2));
  }
  await node.close();
  return specJson;
};

const finalNumber = (number: number): Uint8Array => new Uint8Array([number << 2]);

/** A block in a slot of an epoch, by any authority that may claim it; null if there is none. */
const buildOn = async ({ parts }: Node, slot: bigint, epoch: BabeEpoch): Promise<Block> => {
  const { chain, crypto } = parts;
  const keys = epoch.authorities.map(({ publicKey }, index) => {
    const pairs = names.map((name) => crypto.suriToPair(name, 'sr25519'));
    const pair = pairs.find((one) => bytesToHex(one.publicKey) === bytesToHex(publicKey));
    return { index, publicKey, secret: pair?.secret as Uint8Array };
  });
  const won = claimSlot({ crypto }, slot, epoch, keys);
  if (won === null) throw new Error(`nobody has slot ${slot}`);
  const { hash } = chain.best();
  const header = await chain.loadHeader(hash);
  if (header === null) throw new Error('no parent');
  const backend = await chain.withState(hash, (state) => state);
  const { block } = await proposeBlock(
    {
      run: chain.run,
      pace: startPace(),
      crypto,
      signatures: createSignatureCache(),
      executor: { note: () => undefined },
      fuel: 'import',
    },
    {
      hash: blockHashToBytes(hash),
      header,
      runtime: await chain.runtimeAt(hash),
      openOverlay: () => createOverlay(backend),
    },
    {
      digest: [encodeEngineItem('preRuntime', 'BABE', encodePreDigest(won.digest))],
      timestampMs: slot * 6000n,
      inherents: [
        ['babeslot', encodeU64(slot)],
        ['finalnum', finalNumber(0)],
        ['newheads', Uint8Array.of(0)],
        ['uncles00', Uint8Array.of(0)],
      ],
      seal: () => null,
    },
    Object.assign([], { skipDependents: () => undefined }),
  );
  const seal = crypto.sr25519Sign(won.key.secret, crypto.blake2b256(encodeHeader(block.header)));
  const digest = [...block.header.digest, encodeEngineItem('seal', 'BABE', seal)];
  return { ...block, header: { ...block.header, digest } };
};

/**
 * One block every 250 slots, for six epochs with two or three blocks each. The test itself tracks the
 * announcements in the headers.
 */
const makeChain = async (specJson: string) => {
  const node = await openAt(nowMs, { specJson }, { keys: [] });
  const { epochLength: duration, ...genesis } = await configurationOf(node);
  const settings = { c: genesis.c, allowedSlots: genesis.allowedSlots, duration };
  const epochs = new Map<bigint, BabeEpoch>();
  const { authorities, randomness } = genesis;
  epochs.set(0n, { ...settings, authorities, randomness, index: 0n, startSlot: firstSlot });
  const blocks: Block[] = [];
  for (let slot = firstSlot; slot < firstSlot + 6n * duration; slot += 250n) {
    const index = (slot - firstSlot) / duration;
    const block = await buildOn(node, slot, epochs.get(index) as BabeEpoch);
    const next = headerNextEpoch(block.header);
    const startSlot = firstSlot + (index + 1n) * duration;
    if (next !== null) epochs.set(index + 1n, { ...settings, ...next, index: index + 1n, startSlot });
    expect(await importFile(node, block)).toMatchObject({ ok: true, number: blocks.length + 1 });
    blocks.push(block);
  }
  await node.close();
  return { blocks, epochs };
};

describe.skipIf(!hasFixtures)('a runtime of 2020, over six epochs (shared fixtures)', () => {
  let specJson: string;
  let made: Awaited<ReturnType<typeof makeChain>>;
  beforeAll(async () => {
    specJson = await makeSpec();
    made = await makeChain(specJson);
  }, 120_000);

  it('its blocks, primary and secondary, are verified by a node that is restarted after each', async () => {
    const { blocks, epochs } = made;
    expect(epochs.size).toBe(7);
    expect(new Set(blocks.map(({ header }) => headerPreDigest(header)?.kind)).size).toBe(2);
    const db = lastingDatabase();
    for (const block of blocks) {
      const node = await createNode(
        createTestPlatform({ db, now: () => nowMs }),
        testConfig({ specJson }, { keys: [], finality: { kind: 'manual' } }),
      );
      expect(await importFile(node, block)).toMatchObject({ ok: true, number: block.header.number });
      const runtime = await node.parts.chain.runtimeAt(node.parts.chain.best().hash);
      expect(runtime.hasExport('BabeApi_current_epoch')).toBe(false);
      await node.close();
    }
  });

  it('blocks that do not fit their epoch are refused by a restarted node', async () => {
    const { blocks, epochs } = made;
    const place = blocks.findLastIndex(({ header }) => headerPreDigest(header)?.kind === 'primary');
    const good = blocks[place] as Block;
    const digest = headerPreDigest(good.header);
    if (digest === null) throw new Error('a block of BABE has a claim');
    const db = lastingDatabase();
    const open = () =>
      createNode(
        createTestPlatform({ db, now: () => nowMs }),
        testConfig({ specJson }, { keys: [], finality: { kind: 'manual' } }),
      );
    const before = await open();
    for (const block of blocks.slice(0, place)) await importFile(before, block);
    await before.close();
    const node = await open();
    const { crypto } = node.parts;
    const epoch = epochs.get((digest.slot - firstSlot) / 600n) as BabeEpoch;
    expect(epoch.index).toBeGreaterThan(1n);
    const suri = names.find((name) => {
      const { publicKey } = crypto.suriToPair(name, 'sr25519');
      return (
        bytesToHex(publicKey) === bytesToHex(epoch.authorities[digest.authority]?.publicKey as Uint8Array)
      );
    }) as string;
    const sealed = (block: Block, by = suri): Block => ({
      ...block,
      header: sealWith(crypto, block.header, by),
    });
    const claiming = (of: BabeEpoch): Block => {
      const { secret } = crypto.suriToPair(suri, 'sr25519');
      const vrf = crypto.sr25519VrfSign(secret, slotTranscript(digest.slot, of));
      const item = encodeEngineItem('preRuntime', 'BABE', encodePreDigest({ ...digest, vrf }));
      return sealed(withItem(good, 0, item));
    };
    await expectRefused(
      node,
      sealed(
        good,
        names.find((name) => name !== suri),
      ),
      'BadSeal',
    );
    await expectRefused(node, claiming({ ...epoch, index: epoch.index - 1n }), 'BadClaim');
    await expectRefused(node, claiming(epochs.get(epoch.index - 1n) as BabeEpoch), 'BadClaim');
    await expectRefused(node, claiming(epochs.get(epoch.index + 1n) as BabeEpoch), 'BadClaim');
    const announcement = blocks.map(({ header }) => header).find((header) => headerNextEpoch(header) !== null)
      ?.digest[1] as Uint8Array;
    const isFirst = headerNextEpoch(good.header) !== null;
    const odd = isFirst
      ? withItem(good, 1)
      : withItem(good, 0, good.header.digest[0] as Uint8Array, announcement);
    await expectRefused(node, sealed(odd), 'BadEpoch');
    // The same output with a new proof is a valid block.
    expect(await importFile(node, claiming(epoch))).toMatchObject({ ok: true });
    expect(await importFile(node, good)).toMatchObject({ ok: true });
    await node.close();
  });
});
