import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Writer } from '../../worker/bytes/writer.ts';
import { rootOfExtrinsics } from '../../worker/chain/hashes.ts';
import type { Block } from '../../worker/codec/block.ts';
import { encodeEngineItem } from '../../worker/codec/digest.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import {
  decodePreDigest,
  encodePreDigest,
  headerNextEpoch,
  type PreDigest,
} from '../../worker/consensus/babe/codec.ts';
import { slotTranscript } from '../../worker/consensus/babe/lottery.ts';
import { targetOf } from '../../worker/executor/runtime-api.ts';
import { babeCurrentEpoch, writeAuthorities } from '../../worker/executor/runtime-api-consensus.ts';
import type { Node } from '../../worker/node.ts';
import { sealWith } from '../rigs/reseal.ts';
import { expectRefused, findItem, importFile, makeBlocks, openAt, startMs, withItem } from './verify-rig.ts';

let blocks: Block[] = [];
let node: Node;
/** A block that won its slot by VRF. */
let primary: Block;

beforeAll(async () => {
  blocks = await makeBlocks(12);
  primary = blocks.slice(2).find((block) => readClaim(block).kind === 'primary') as Block;
  node = await openAt(startMs);
});
afterAll(() => node.close());

const at = (index: number): Block => blocks[index] as Block;
const claimOf = (block: Block, changes: Partial<PreDigest>): Uint8Array =>
  encodeEngineItem('preRuntime', 'BABE', encodePreDigest({ ...readClaim(block), ...changes }));
const readClaim = ({ header }: Block): PreDigest => {
  const item = header.digest[0] as Uint8Array;
  // Tag, engine and a length, which is one byte below 64, else two.
  return decodePreDigest(item.subarray((item[5] as number) % 4 === 0 ? 6 : 7));
};
const sealed = (block: Block): Block => ({ ...block, header: sealWith(node.parts.crypto, block.header) });

describe('a BABE block of another node', () => {
  it('is refused for missing or surplus digest items, whoever sealed it', async () => {
    const good = at(0);
    const seal = good.header.digest.length - 1;
    const [claim, last] = [good.header.digest[0] as Uint8Array, good.header.digest[seal] as Uint8Array];
    await expectRefused(node, withItem(good, seal), 'BadSeal');
    await expectRefused(node, withItem(good, seal, last, last), 'BadSeal');
    await expectRefused(
      node,
      withItem(good, seal, encodeEngineItem('seal', 'BABE', new Uint8Array(64))),
      'BadSeal',
    );
    await expectRefused(
      node,
      withItem(good, seal, encodeEngineItem('seal', 'BABE', new Uint8Array(63))),
      'BadSeal',
    );
    await expectRefused(
      node,
      withItem(good, seal, encodeEngineItem('seal', 'xxxx', last.slice(-64))),
      'BadSeal',
    );
    await expectRefused(node, withItem(good, seal, last, claim), 'BadSeal');
    await expectRefused(node, sealed(withItem(good, 0)), 'BadDigest');
    await expectRefused(node, sealed(withItem(good, 0, claim, claim)), 'BadDigest');
    const foreign = encodeEngineItem('preRuntime', 'aura', new Uint8Array(8));
    await expectRefused(node, sealed(withItem(good, 0, foreign)), 'BadDigest');
    const long = encodeEngineItem(
      'preRuntime',
      'BABE',
      new Uint8Array([...encodePreDigest(readClaim(good)), 0]),
    );
    await expectRefused(node, sealed(withItem(good, 0, long)), 'BadDigest');
    expect(await importFile(node, good)).toMatchObject({ ok: true, number: 1 });
  });

  it('is refused for its slot: repeated, before the parent’s, in the future, in the year 2099', async () => {
    const good = at(1);
    const { slot } = readClaim(at(0));
    for (const wrong of [slot, slot - 1n, 0n])
      await expectRefused(node, sealed(withItem(good, 0, claimOf(good, { slot: wrong }))), 'BadSlot');
    const far = BigInt(Date.UTC(2099, 0) / 6000);
    for (const wrong of [far, slot + 2001n, 2n ** 64n - 1n])
      await expectRefused(node, sealed(withItem(good, 0, claimOf(good, { slot: wrong }))), 'FutureBlock');
  });

  it('that does not come from an operator is judged by the clock alone', async () => {
    const other = await openAt(startMs);
    const results = [];
    for (const block of blocks.slice(0, 4)) results.push(await other.parts.chain.import(block));
    // The clock's slot, plus one to allow for clock differences.
    expect(results.map((result) => (result.ok ? result.number : result.code))).toEqual([
      1,
      2,
      'FutureBlock',
      'UnknownParent',
    ]);
    await other.close();
    const later = await openAt(startMs + 6000 * 60);
    for (const block of blocks) expect(await later.parts.chain.import(block)).toMatchObject({ ok: true });
    await later.close();
  });

  it('is refused for a claim that was not won, or by another authority, even if sealed by its author', async () => {
    const good = at(1);
    const claim = readClaim(good);
    await expectRefused(node, sealed(withItem(good, 0, claimOf(good, { authority: 1 }))), 'WrongAuthor');
    const { vrf } = readClaim(primary);
    if (vrf === null) throw new Error('a primary claim has a VRF');
    const ofOther = { slot: claim.slot, vrf, kind: 'primary' } as const;
    await expectRefused(node, sealed(withItem(good, 0, claimOf(good, ofOther))), 'BadClaim');
    const zeros = { preOutput: new Uint8Array(32), proof: new Uint8Array(64) };
    await expectRefused(
      node,
      sealed(withItem(good, 0, claimOf(good, { ...ofOther, vrf: zeros }))),
      'BadClaim',
    );
    const secondaryVrf = claimOf(good, { kind: 'secondaryVrf', vrf });
    await expectRefused(node, sealed(withItem(good, 0, secondaryVrf)), 'BadClaim');
    const bob = { ...good, header: sealWith(node.parts.crypto, good.header, '//Bob') };
    await expectRefused(node, bob, 'BadSeal');
    expect(await importFile(node, good)).toMatchObject({ ok: true, number: 2 });
  });

  it('with a proven VRF output that did not win the slot is not a primary block', async () => {
    const { crypto } = node.parts;
    const epoch = await node.parts.chain.view.readState(node.parts.chain.best().hash, (state) =>
      babeCurrentEpoch(targetOf(state)),
    );
    const lost = blocks.findIndex((block, index) => index > 1 && readClaim(block).kind !== 'primary');
    for (const block of blocks.slice(2, lost))
      expect(await importFile(node, block)).toMatchObject({ ok: true });
    const { slot } = readClaim(at(lost));
    const vrf = crypto.sr25519VrfSign(
      crypto.suriToPair('//Alice', 'sr25519').secret,
      slotTranscript(slot, epoch),
    );
    await expectRefused(
      node,
      sealed(withItem(at(lost), 0, claimOf(at(lost), { kind: 'primary', vrf }))),
      'BadClaim',
    );
    expect(await importFile(node, at(lost))).toMatchObject({ ok: true });
  });

  it('is refused for its epoch announcement: missing, misplaced, duplicate, absurd', async () => {
    const fresh = await openAt(startMs);
    const first = at(0);
    const place = findItem(first, 'consensus');
    const item = first.header.digest[place] as Uint8Array;
    const next = headerNextEpoch(first.header);
    const announce = (authorities: readonly { publicKey: Uint8Array; weight: bigint }[]): Uint8Array =>
      encodeEngineItem(
        'consensus',
        'BABE',
        writeAuthorities(new Writer().u8(1), authorities)
          .raw(next?.randomness as Uint8Array)
          .finish(),
      );
    const config = (c: readonly [bigint, bigint]): Uint8Array =>
      encodeEngineItem('consensus', 'BABE', new Writer().u8(3).u8(1).u64(c[0]).u64(c[1]).u8(1).finish());
    const publicKey = new Uint8Array(32);
    const wrong = [
      [],
      [item, item],
      [announce([])],
      [announce([{ publicKey, weight: 0n }])],
      [announce([1, 2].map(() => ({ publicKey, weight: 2n ** 64n - 1n })))],
      [encodeEngineItem('consensus', 'BABE', Uint8Array.of(1, 4, 5))],
      [item, config([1n, 0n])],
      [item, config([5n, 4n])],
      [item, config([1n, 4n]), config([1n, 4n])],
    ];
    for (const items of wrong)
      await expectRefused(fresh, sealed(withItem(first, place, ...items)), 'BadEpoch');
    expect(await importFile(fresh, first)).toMatchObject({ ok: true, number: 1 });
    const second = at(1);
    for (const extra of [item, config([1n, 4n])]) {
      const seal = second.header.digest.length - 1;
      await expectRefused(
        fresh,
        sealed(withItem(second, seal, extra, second.header.digest[seal] as Uint8Array)),
        'BadEpoch',
      );
    }
    expect(await importFile(fresh, second)).toMatchObject({ ok: true, number: 2 });
    await fresh.close();
  });

  it('is refused for a timestamp ahead of the clock or too early, or for none', async () => {
    const fresh = await openAt(startMs);
    const { chain, crypto } = fresh.parts;
    const runtime = await chain.runtimeAt(chain.genesisHash);
    const good = at(0);
    const index = good.extrinsics.findIndex((one) => one.at(-7) === 0x0b);
    // The timestamp is a compact number of six bytes at the end of `timestamp.set`.
    const withTime = (block: Block, ms: number | null): Block => {
      const tail = encodeU64(BigInt(ms ?? 0)).subarray(0, 6);
      const time = new Uint8Array([...(block.extrinsics[index] as Uint8Array).subarray(0, -6), ...tail]);
      const extrinsics = block.extrinsics.toSpliced(index, 1, ...(ms === null ? [] : [time]));
      const { root } = rootOfExtrinsics(crypto, runtime, extrinsics);
      return sealed({ header: { ...block.header, extrinsicsRoot: root }, extrinsics });
    };
    expect(withTime(good, startMs).extrinsics).toEqual(good.extrinsics);
    expect(await chain.import(withTime(good, startMs + 31_000))).toMatchObject({ code: 'FutureBlock' });
    // In a file, it may be any time within the slot.
    await expectRefused(fresh, withTime(good, startMs + 36_000), 'FutureBlock');
    await expectRefused(fresh, withTime(good, null), 'BadBlock');
    expect(await importFile(fresh, good)).toMatchObject({ ok: true, number: 1 });
    await expectRefused(fresh, withTime(at(1), startMs), 'BadInherents');
    await fresh.close();
  });

  it('is refused if it does not decode, and on a chain with another genesis', async () => {
    const fresh = await openAt(startMs);
    const { block } = signedBlockToJson({ ...at(0), justifications: null });
    const { header, extrinsics } = block;
    const { logs } = header.digest;
    for (const broken of [
      { header, extrinsics: extrinsics.map((text) => text.slice(0, -2)) },
      { header: { ...header, digest: { logs: logs.map((text) => text.slice(0, -2)) } }, extrinsics },
    ])
      await expect(fresh.importBlock({ block: broken })).rejects.toMatchObject({ code: 'BadBlock' });
    expect(fresh.parts.chain.best().number).toBe(0);
    expect(await fresh.importBlock({ block })).toMatchObject({ number: 1 });
    const other = await openAt(startMs, 'local_testnet');
    await expectRefused(other, at(0), 'UnknownParent');
    await Promise.all([fresh.close(), other.close()]);
  });

  it('is accepted unverified if the operator trusts blocks, and the status says so', async () => {
    const zeroed = withItem(
      at(0),
      at(0).header.digest.length - 1,
      encodeEngineItem('seal', 'BABE', new Uint8Array(64)),
    );
    await expectRefused(await openAt(startMs), zeroed, 'BadSeal');
    const trusting = await openAt(startMs, 'development', { trustBlocks: true });
    expect(await importFile(trusting, zeroed)).toMatchObject({ ok: true, number: 1 });
    expect(await trusting.status()).toMatchObject({ trustBlocks: true });
    expect(await node.status()).toMatchObject({ trustBlocks: false });
    await trusting.close();
  });
});
