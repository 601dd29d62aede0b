import { describe, expect, it, vi } from 'vitest';
import { hasFixtures, loadFixtureText } from '../../../test/rigs/fixtures.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { blockHashToBytes } from '../../codec/identity.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { decodeGrandpaJustification, encodeGrandpaJustification, type SignedPrecommit } from './codec.ts';
import { loadProofCrypto, threshold, verifyJustification } from './verify.ts';
import { createHeaders, createVoters, encodeVotes, signPrecommit, type Voter } from './votes.fixture.ts';

const crypto = await loadCrypto();
const voters = createVoters(crypto, 4);
const [alice, bob, carol, dave] = voters as [Voter, Voter, Voter, Voter];
const nowhere = new Uint8Array(32).fill(7);
const trunk = createHeaders(crypto, nowhere, 5, 4);
const [target, next, top] = trunk as [(typeof trunk)[0], (typeof trunk)[0], (typeof trunk)[0]];
const fork = createHeaders(crypto, blockHashToBytes(target.hash), 6, 2, 1);
const [other] = fork as [(typeof trunk)[0]];
const set = { setId: 3n, authorities: voters };
const round = 9n;

const vote = (voter: Voter, block: BlockRef): SignedPrecommit =>
  signPrecommit(crypto, voter, block, { round, setId: set.setId });

const judge = (bytes: Uint8Array, block: BlockRef = target, by = set): string =>
  verifyJustification(crypto, bytes, { hash: blockHashToBytes(block.hash), number: block.number }, by)
    ?.message ?? 'valid';

const plain = encodeVotes(
  round,
  target,
  [alice, bob, carol].map((voter) => vote(voter, target)),
);
/** Votes above the target on two branches; the headers in between are included. */
const spread = encodeVotes(
  round,
  target,
  [vote(alice, target), vote(bob, next), vote(carol, other), vote(dave, top)],
  [next.header, top.header, other.header],
);

describe('a GRANDPA justification', () => {
  it('contains the votes of more than two thirds of the weight', () => {
    expect(judge(plain)).toBe('valid');
    expect(judge(spread)).toBe('valid');
    expect([1n, 2n, 3n, 4n, 6n, 7n, 10n, 1000n].map(threshold)).toEqual([1n, 2n, 3n, 3n, 5n, 5n, 7n, 667n]);
  });

  it('survives encoding and decoding', () => {
    for (const bytes of [plain, spread])
      expect(encodeGrandpaJustification(decodeGrandpaJustification(bytes))).toEqual(bytes);
  });

  it('is refused with any one bit flipped, truncated, or with trailing bytes', () => {
    for (let bit = 0; bit < spread.length * 8; bit++) {
      const flipped = spread.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      if (judge(flipped) === 'valid') expect.fail(`bit ${bit} is not looked at`);
    }
    for (let length = 0; length < spread.length; length++)
      expect(judge(spread.slice(0, length))).toContain('does not decode');
    expect(judge(Uint8Array.of(...spread, 0))).toContain('does not decode');
  });

  it('is refused for another block, another set, another round or other authorities', () => {
    expect(judge(plain, next)).toContain('is of another block, #5');
    expect(judge(plain, target, { ...set, setId: 4n })).toContain(
      'signature that is none for round 9 of set 4',
    );
    const decoded = decodeGrandpaJustification(plain);
    expect(judge(encodeGrandpaJustification({ ...decoded, round: 10n }))).toContain('signature');
    expect(judge(plain, target, { ...set, authorities: [dave] })).toContain('no vote of the authority set');
    const weightless = [{ ...alice, weight: 0n }, bob, carol, dave];
    expect(judge(plain, target, { ...set, authorities: weightless })).toContain('two thirds');
    const idle = { ...dave, weight: 0n };
    expect(judge(plain, target, { ...set, authorities: [alice, bob, carol, idle] })).toBe('valid');
    expect(judge(plain, target, { ...set, authorities: [] })).toContain('no authority set');
  });

  it('is refused if a vote is missing, counted twice, or has too little weight', () => {
    const two = [alice, bob].map((voter) => vote(voter, target));
    expect(judge(encodeVotes(round, target, two))).toContain('two thirds');
    expect(judge(encodeVotes(round, target, [...two, vote(bob, target)]))).toContain('two thirds');
    expect(judge(encodeVotes(round, target, []))).toContain('no vote');
    const heavy = [alice, bob, carol, { ...dave, weight: 7n }];
    expect(judge(plain, target, { ...set, authorities: heavy })).toContain('two thirds');
  });

  it('is refused for a target below the block that the votes agree on', () => {
    const higher = [alice, bob, carol].map((voter) => vote(voter, next));
    const lower = encodeVotes(round, target, [...higher, vote(dave, target)], [next.header]);
    expect(judge(lower)).toContain('two thirds');
  });

  it('counts a voter who voted for two blocks for both, once each', () => {
    const votes = [vote(alice, target), vote(bob, next), vote(carol, next), vote(carol, other)];
    const headers = [next.header, other.header];
    expect(judge(encodeVotes(round, target, votes, headers))).toBe('valid');
    expect(judge(encodeVotes(round, target, votes.slice(1), headers))).toContain('two thirds');
  });

  it('holds copies, third votes and votes of strangers, but not without end', () => {
    const enough = [alice, bob, carol].map((voter) => vote(voter, target));
    const more = [vote(alice, next), vote(alice, other), vote(bob, target)];
    const headers = [next.header, other.header];
    expect(judge(encodeVotes(round, target, [...enough, ...more], headers))).toBe('valid');
    const many = (count: number) =>
      encodeVotes(round, target, [
        ...enough,
        ...Array.from({ length: count }, () => enough[0] as SignedPrecommit),
      ]);
    const trusting = { ...crypto, ed25519Verify: () => true };
    const block = { hash: blockHashToBytes(target.hash), number: target.number };
    const most = 2 * voters.length + 1024 - enough.length;
    expect(verifyJustification(trusting, many(most), block, set)).toBeNull();
    expect(verifyJustification(trusting, many(most + 1), block, set)?.message).toContain('more votes');
  });

  it('is refused if headers are missing or superfluous', () => {
    const votes = [vote(alice, target), vote(bob, target), vote(carol, top)];
    const needed = [next.header, top.header];
    expect(judge(encodeVotes(round, target, votes, needed))).toBe('valid');
    expect(judge(encodeVotes(round, target, votes, [top.header]))).toContain('two thirds');
    expect(judge(encodeVotes(round, target, votes, [...needed, other.header]))).toContain(
      'none of its votes',
    );
    const stranger = crypto.suriToPair('//Stranger', 'ed25519');
    const foreign = signPrecommit(crypto, stranger, other, { round, setId: set.setId });
    expect(judge(encodeVotes(round, target, [...votes, foreign], needed))).toContain('lacks headers');
  });
});

it('many signatures are verified all at once, with the same verdict', async () => {
  const many = createVoters(crypto, 40);
  const single = vi.fn(crypto.ed25519Verify);
  const votes = many.map((voter) => vote(voter, target));
  const verdict = async (precommits: typeof votes) => {
    const bytes = encodeVotes(round, target, precommits);
    const fast = await loadProofCrypto({ ...crypto, ed25519Verify: single }, bytes);
    const block = { hash: blockHashToBytes(target.hash), number: target.number };
    return verifyJustification(fast, bytes, block, { ...set, authorities: many });
  };
  expect(await verdict(votes)).toBeNull();
  const [first, second, ...rest] = votes as [SignedPrecommit, SignedPrecommit, ...SignedPrecommit[]];
  const forged = [{ ...first, signature: second.signature }, second, ...rest];
  expect((await verdict(forged))?.message).toContain('signature');
  expect(single).not.toHaveBeenCalled();
});

describe.skipIf(!hasFixtures)('a justification of a live network', () => {
  it('is valid only for its set', async () => {
    const text = await loadFixtureText('grandpa/messages.json');
    const [real] = (JSON.parse(text) as { justifications: { encoded: string; setId: number }[] })
      .justifications;
    const bytes = hexToBytes(real?.encoded ?? '');
    const { targetHash: hash, targetNumber: number, precommits } = decodeGrandpaJustification(bytes);
    const authorities = precommits.map(({ voter }) => ({ publicKey: voter, weight: 1n }));
    expect(verifyJustification(crypto, bytes, { hash, number }, { setId: 0n, authorities })).toBe(null);
    const wrong = verifyJustification(crypto, bytes, { hash, number }, { setId: 1n, authorities });
    expect(wrong?.code).toBe('BadJustification');
    expect(wrong?.message).toContain('signature');
  });
});
