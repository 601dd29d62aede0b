import { beforeEach, expect, test, vi } from 'vitest';
import { textToBytes } from '../../bytes/bytes.ts';
import { Writer } from '../../bytes/writer.ts';
import type { Header } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import type { SignedBlock } from '../../codec/signed-block.ts';
import {
  type BlockRequest,
  blockParts,
  decodeBlockRequest,
  decodeBlockResponse,
  encodeBlockRequest,
  wholeBlock,
} from '../protocol/block-request.ts';
import { reputationChanges } from '../reputation-changes.ts';
import { createBlockServer, type ServedChain } from './server.ts';

const nameOf = (number: number, branch: number): BlockHash =>
  bytesToBlockHash(
    new Uint8Array(32)
      .fill(branch)
      .with(0, number & 0xff)
      .with(1, number >> 8),
  );

const genesis = nameOf(0, 0);

const blockOf = (number: number, parent: BlockHash, bytes: number): SignedBlock => {
  const filled = new Uint8Array(32);
  const header: Header = {
    parentHash: blockHashToBytes(parent),
    number,
    stateRoot: filled,
    extrinsicsRoot: filled,
    digest: [],
  };
  const body = new Uint8Array(bytes).fill(7);
  const extrinsic = new Writer(bytes + 4).vecBytes(body).finish();
  return {
    header,
    extrinsics: bytes === 0 ? [Uint8Array.of(0)] : [extrinsic],
    justifications: number % 10 === 0 ? [[textToBytes('FRNK'), Uint8Array.of(number)]] : null,
  };
};

/** 300 blocks, a fork of three on block 250, and how much each block weighs. */
const createChain = (bytes = 0) => {
  const blocks = new Map<BlockHash, SignedBlock>();
  const canonical: BlockHash[] = [];
  for (let number = 0; number <= 300; number++) {
    const hash = nameOf(number, 0);
    canonical.push(hash);
    blocks.set(hash, blockOf(number, nameOf(number - 1, 0), bytes));
  }
  for (let number = 251; number <= 253; number++) {
    const parent = number === 251 ? nameOf(250, 0) : nameOf(number - 1, 1);
    blocks.set(nameOf(number, 1), blockOf(number, parent, bytes));
  }
  const base = { hash: genesis, number: 0 };
  const chain: ServedChain = {
    base,
    best: () => ({ hash: nameOf(300, 0), number: 300 }),
    finalized: () => ({ ...base, parent: genesis, weight: 0, isOwn: false }),
    loadHeader: async (hash) => blocks.get(hash)?.header ?? null,
    loadHashAt: async (number) => canonical[number] ?? null,
    loadHashesAt: async (from, to) => canonical.slice(from, to + 1),
    loadBlocks: async (hashes) => hashes.map((hash) => blocks.get(hash) ?? null),
  };
  return chain;
};

let nowMs: number;
let rate: ReturnType<typeof vi.fn<(peer: string, change: number) => void>>;
beforeEach(() => {
  nowMs = 1_000_000;
  rate = vi.fn();
});
const fail = (error: unknown): never => {
  throw error;
};
const serve = (chain = createChain()) => createBlockServer({ chain, now: () => nowMs, rate, onError: fail });

const request = (changes: Partial<BlockRequest>): Uint8Array =>
  encodeBlockRequest({
    ...{ parts: wholeBlock, from: 1, isDescending: false, max: 0, takesSeveral: true },
    ...changes,
  });

const numbersOf = (response: Uint8Array | null): (number | undefined)[] =>
  (decodeBlockResponse(response ?? new Uint8Array([255])) ?? []).map(({ header }) => header?.number);

const upTo = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => (from < to ? from + at : from - at));

test('blocks ascend along the best chain, and descend by their parents', async () => {
  const { serve: ask } = serve();
  const cases: [Partial<BlockRequest>, number[]][] = [
    [{ from: 1 }, upTo(1, 128)],
    [{ from: 290, max: 64 }, upTo(290, 300)],
    [{ from: nameOf(5, 0), max: 2 }, [5, 6]],
    [{ from: 300, max: 3, isDescending: true }, [300, 299, 298]],
    [{ from: 5, isDescending: true }, upTo(5, 0)],
    [{ from: nameOf(253, 1), isDescending: true, max: 6 }, upTo(253, 248)],
    [{ from: nameOf(253, 1), isDescending: true, max: 2 }, [253, 252]],
    [{ from: nameOf(252, 1) }, [252]],
    [{ from: 301 }, []],
    [{ from: nameOf(9, 9) }, []],
    [{ from: 1, max: 4_000_000_000 }, upTo(1, 128)],
  ];
  for (const [index, [changes, numbers]] of cases.entries())
    expect(numbersOf(await ask(`peer ${index}`, request(changes)))).toEqual(numbers);
  expect(rate).not.toHaveBeenCalled();
});

test('a response begins with the requested block also if another becomes the best one meanwhile', async () => {
  const chain = createChain();
  const moved: readonly (readonly BlockHash[])[] = [
    [nameOf(299, 0), nameOf(300, 1)],
    // A better chain may be shorter.
    [nameOf(298, 0), nameOf(299, 0)],
    [],
  ];
  for (const hashes of moved) {
    const { serve: ask } = serve({
      ...chain,
      loadHashesAt: vi.fn(chain.loadHashesAt).mockResolvedValueOnce([...hashes]),
    });
    const response = await ask('a', request({ from: nameOf(300, 0), max: 2, isDescending: true }));
    const parents = decodeBlockResponse(response as Uint8Array)?.map(({ header }) => header?.parentHash);
    expect(parents).toEqual([nameOf(299, 0), nameOf(298, 0)].map(blockHashToBytes));
  }
});

test('only the requested parts are sent', async () => {
  const { serve: ask } = serve();
  const partsOf = async (parts: number, takesSeveral = true) => {
    const [block] = decodeBlockResponse(
      (await ask('a', request({ from: 10, max: 1, parts, takesSeveral }))) as Uint8Array,
    ) as never as [{ header: object | null; extrinsics: unknown[]; justifications: unknown }];
    return [block.header !== null, block.extrinsics.length, block.justifications];
  };
  const proof = [[textToBytes('FRNK'), Uint8Array.of(10)]];
  expect(await partsOf(blockParts.header)).toEqual([true, 0, null]);
  expect(await partsOf(blockParts.body)).toEqual([false, 1, null]);
  expect(await partsOf(blockParts.justification)).toEqual([false, 0, proof]);
  expect(await partsOf(wholeBlock, false)).toEqual([true, 1, proof]);
});

test('a response ends before it is too large, but has a block', async () => {
  const { serve: ask } = serve(createChain(200_000));
  const response = (await ask('a', request({ from: 1 }))) as Uint8Array;
  expect(response.length).toBeLessThan(16 * 1024 * 1024);
  expect(numbersOf(response)).toEqual(upTo(1, 83));
});

test('the same request is fulfilled twice in a minute; a small one more often, at a change', async () => {
  const { serve: ask } = serve();
  const whole = request({ from: 7, max: 5 });
  expect([(await ask('a', whole))?.length, (await ask('a', whole))?.length]).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(await ask('a', whole)).toBeNull();
  expect(rate.mock.calls).toEqual([['a', reputationChanges.sameRequest]]);
  expect(await ask('b', whole)).not.toBeNull();
  expect(await ask('a', request({ from: 8, max: 5 }))).not.toBeNull();
  nowMs += 60_000;
  expect(await ask('a', whole)).not.toBeNull();
  const small = request({ from: 7, max: 1, parts: blockParts.header });
  for (let count = 0; count < 4; count++) expect(await ask('a', small)).not.toBeNull();
  expect(rate.mock.calls.slice(1)).toEqual([
    ['a', reputationChanges.sameSmallRequest],
    ['a', reputationChanges.sameSmallRequest],
  ]);
  // What is not found costs nothing, however often it is requested.
  for (let count = 0; count < 4; count++)
    expect(await ask('a', request({ from: 900 }))).toEqual(new Uint8Array(0));
  expect(rate).toHaveBeenCalledTimes(3);
});

test('requests beyond those that wait are refused; nonsense is charged', async () => {
  const { serve: ask } = serve();
  const all = await Promise.all(upTo(1, 12).map((from) => ask('a', request({ from, max: 1 }))));
  expect(all.filter((response) => response === null)).toHaveLength(4);
  for (const bytes of [new Uint8Array(0), Uint8Array.of(8), new Uint8Array(40).fill(255)])
    expect(await ask('b', bytes)).toBeNull();
  expect(rate.mock.calls).toEqual([1, 2, 3].map(() => ['b', reputationChanges.undecodable]));
});

test('a request is what was written, and no piece of it is one that names a block', () => {
  for (const from of [77, nameOf(5, 3)]) {
    const bytes = request({ from, max: 64, isDescending: true });
    expect(decodeBlockRequest(bytes)).toEqual({
      ...{ parts: wholeBlock, from, isDescending: true, max: 64, takesSeveral: true },
    });
    for (let at = 0; at < bytes.length; at++) {
      const read = decodeBlockRequest(bytes.subarray(0, at));
      if (read !== null) expect(read.from).toBe(from);
    }
  }
});
