import { expect, test } from 'vitest';
import vectors from '../../../test/vectors/commits.json' with { type: 'json' };
import { hashHeader } from '../../chain/hashes.ts';
import { blockHashToBytes } from '../../codec/identity.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { verifyJustification } from './verify.ts';
import { encodeVotes } from './votes.fixture.ts';

const crypto = await loadCrypto();
/** The commits are about votes and headers: every signature is valid. */
const trusting = { blake2b256: crypto.blake2b256, ed25519Verify: () => true };
const fill = (value: number, length = 32) => new Uint8Array(length).fill(value);

type Recorded = (typeof vectors)[number];

const judge = ({ parents, heights, headers, weights, target, precommits }: Recorded) => {
  const blocks: { header: Parameters<typeof hashHeader>[1]; hash: ReturnType<typeof hashHeader> }[] = [];
  for (const [at, parent] of parents.entries()) {
    const parentHash = at === 0 ? fill(0) : blockHashToBytes((blocks[parent] as (typeof blocks)[0]).hash);
    const number = heights[at] as number;
    const header = { parentHash, number, stateRoot: fill(at), extrinsicsRoot: fill(0), digest: [] };
    blocks.push({ header, hash: hashHeader(crypto, header) });
  }
  const block = (at: number) => blocks[at] as (typeof blocks)[0];
  const ref = { hash: block(target).hash, number: heights[target] as number };
  const bytes = encodeVotes(
    1n,
    ref,
    (precommits as [number, number, number, number][]).map(([voter, at, number, signature]) => ({
      hash: blockHashToBytes(block(at).hash),
      number,
      signature: fill(signature, 64),
      voter: fill(voter),
    })),
    headers.map((at) => block(at).header),
  );
  const authorities = weights.map((weight, id) => ({ publicKey: fill(id), weight: BigInt(weight) }));
  const refusal = verifyJustification(
    trusting,
    bytes,
    { hash: blockHashToBytes(ref.hash), number: ref.number },
    { setId: 1n, authorities },
  );
  return refusal === null;
};

test('commits have the verdicts of the SDK (test/vectors/commits.rs)', () => {
  expect(vectors.filter(({ verdict }) => verdict)).toHaveLength(200);
  const different = vectors.filter((commit) => judge(commit) !== commit.verdict);
  expect(different.map((commit) => JSON.stringify(commit))).toEqual([]);
});
