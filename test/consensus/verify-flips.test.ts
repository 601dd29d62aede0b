import { describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { type Block, decodeExtrinsic } from '../../worker/codec/block.ts';
import { decodeDigestItem } from '../../worker/codec/digest.ts';
import { decodeHeader, encodeHeader } from '../../worker/codec/header.ts';
import type { Node } from '../../worker/node.ts';
import { type FixtureBlock, fixtureToJson } from '../chain/fixture-block.ts';
import { hasFixtures, loadFixtureJson, loadFixtureText } from '../rigs/fixtures.ts';
import { createRandom } from '../rigs/random.ts';
import {
  expectRefused,
  findItem,
  flipBit,
  importFile,
  makeBlocks,
  openAt,
  startMs,
  withItem,
} from './verify-rig.ts';

type Region = {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly codes: readonly string[];
};

/** Bit positions within a digest item, counted from its end so that they exclude tag, engine and length. */
const regionsOf = (block: Block): Region[] => {
  const regions: Region[] = [];
  const item = (index: number): Uint8Array => block.header.digest[index] as Uint8Array;
  const seal = block.header.digest.length - 1;
  const end = (index: number): number => item(index).length * 8;
  regions.push({ kind: `seal ${seal}`, from: end(seal) - 512, to: end(seal), codes: ['BadSeal'] });
  const claim = findItem(block, 'preRuntime');
  const decoded = decodeDigestItem(item(claim));
  const length = 'data' in decoded ? decoded.data.length : 0;
  const start = end(claim) - length * 8;
  if (length >= 109) {
    regions.push({ kind: `vrf ${claim}`, from: end(claim) - 96 * 8, to: end(claim), codes: ['BadClaim'] });
  }
  if (length >= 13) {
    // Kind, authority and slot.
    regions.push({ kind: `kind ${claim}`, from: start, to: start + 8, codes: ['BadDigest', 'BadClaim'] });
    const others = ['WrongAuthor', 'BadClaim'];
    regions.push({ kind: `authority ${claim}`, from: start + 8, to: start + 40, codes: others });
    const codes = ['BadSlot', 'FutureBlock', 'BadEpoch', 'WrongAuthor', 'BadClaim', 'BadSeal'];
    regions.push({ kind: `slot ${claim}`, from: start + 40, to: start + 104, codes });
  } else {
    regions.push({
      kind: `slot ${claim}`,
      from: start,
      to: end(claim),
      codes: ['BadSlot', 'FutureBlock', 'BadSeal'],
    });
  }
  const epoch = findItem(block, 'consensus');
  if (epoch >= 0)
    regions.push({
      kind: `epoch ${epoch}`,
      from: end(epoch) - 32 * 8 * 2,
      to: end(epoch),
      codes: ['BadSeal', 'BadEpoch'],
    });
  return regions;
};

/** Flips this many bits of each block before the original is imported. */
const flipAll = async (
  node: Node,
  blocks: readonly Block[],
  perBlock: number,
  seed: number,
): Promise<number> => {
  const random = createRandom(seed);
  let flips = 0;
  for (const block of blocks) {
    const regions = regionsOf(block);
    for (let turn = 0; turn < perBlock; turn++) {
      const region = regions[(turn + block.header.number) % regions.length] as Region;
      const index = Number(region.kind.split(' ')[1]);
      const bit = region.from + Math.floor(random() * (region.to - region.from));
      const flipped = withItem(block, index, flipBit(block.header.digest[index] as Uint8Array, bit));
      await expectRefused(node, flipped, region.codes);
      flips++;
    }
    expect(await importFile(node, block)).toMatchObject({ ok: true, number: block.header.number });
  }
  return flips;
};

const loadWestend = async (): Promise<Block[]> =>
  (await loadFixtureJson<FixtureBlock[]>('blocks/westend-1-128.json')).map(({ header, body }) => ({
    header: decodeHeader(hexToBytes(header)),
    extrinsics: body.map((text) => decodeExtrinsic(hexToBytes(text))),
  }));

describe("one bit of a block's claim", () => {
  it('flipped in our own blocks: refused with an error code, and the original accepted', async () => {
    const blocks = await makeBlocks(30, 'local_testnet', { keys: ['//Alice', '//Bob'] });
    const node = await openAt(startMs, 'local_testnet', { keys: [] });
    expect(await flipAll(node, blocks, 10, 1)).toBe(300);
    await node.close();
  }, 60_000);

  it.skipIf(!hasFixtures)(
    'flipped in Westend’s first blocks (shared fixtures)',
    async () => {
      const node = await openAt(Date.UTC(2026, 0), {
        specJson: await loadFixtureText('chains/westend-raw.json'),
      });
      expect(await flipAll(node, await loadWestend(), 3, 2)).toBe(384);
      await node.close();
    },
    60_000,
  );

  it.skipIf(!hasFixtures)(
    'flipped in blocks of an Aura chain (shared fixtures)',
    async () => {
      const chain = { specJson: await loadFixtureText('chains/node-template-raw.json') };
      const blocks = await makeBlocks(30, chain);
      const node = await openAt(startMs, chain, { keys: [] });
      expect(await flipAll(node, blocks, 10, 3)).toBe(300);
      await node.close();
    },
    60_000,
  );
});

/** The parts of a block as received from another node. */
const partsOf = ({ header, extrinsics }: Block): Uint8Array[] => [encodeHeader(header), ...extrinsics];

describe('5,000 corruptions of one bit anywhere in valid blocks', () => {
  it('are refused without a crash, and the originals are accepted', async () => {
    const blocks = await makeBlocks(20, 'local_testnet', { keys: ['//Alice', '//Bob'] });
    const node = await openAt(startMs, 'local_testnet', { keys: [] });
    const { chain } = node.parts;
    const random = createRandom(4);
    const codes = new Map<string, number>();
    for (const block of blocks) {
      const parts = partsOf(block);
      const bits = parts.reduce((sum, { length }) => sum + length * 8, 0);
      const before = chain.best();
      for (let turn = 0; turn < 250; turn++) {
        let bit = Math.floor(random() * bits);
        const wrong = parts.map((part) => {
          const here = bit >= 0 && bit < part.length * 8 ? flipBit(part, bit) : part;
          bit -= part.length * 8;
          return here;
        });
        const [header = '', ...extrinsics] = wrong.map((part) => bytesToHex(part) as string);
        const corrupt = async () => node.importBlock(fixtureToJson({ header, body: extrinsics }));
        const error = await corrupt().then(
          () => null,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(NodeError);
        const { code } = error as NodeError;
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
      expect(chain.best()).toEqual(before);
      expect(await importFile(node, block)).toMatchObject({ ok: true });
    }
    expect(codes.has('Internal')).toBe(false);
    expect([...codes.values()].reduce((sum, one) => sum + one, 0)).toBe(5000);
    await node.close();
  }, 120_000);
});
