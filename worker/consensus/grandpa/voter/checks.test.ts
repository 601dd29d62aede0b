import { expect, it } from 'vitest';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { loadCrypto } from '../../../crypto/crypto.ts';
import { loadProofCrypto } from '../verify.ts';
import { createChecks } from './checks.ts';
import { createLineage } from './lineage.ts';
import { precommit, votePayload } from './messages.ts';

const crypto = await loadCrypto();
const setId = 4n;
const target = { hash: bytesToBlockHash(new Uint8Array(32).fill(9)), number: 9 };
const pairs = Array.from({ length: 40 }, (_, index) => crypto.suriToPair(`//${index}`, 'ed25519'));
const payload = votePayload({ kind: precommit, target }, 3n, setId);
const precommits = pairs.map(({ publicKey, secret }) => ({
  target,
  signature: crypto.ed25519Sign(secret, payload),
  voter: publicKey,
}));

it('the signatures of a large commit are verified all at once, and one wrong one is found', async () => {
  const single = (): never => {
    throw new Error('a single signature was verified');
  };
  const fast = await loadProofCrypto({ ...crypto, ed25519Verify: single }, pairs.length);
  const authorities = pairs.map(({ publicKey }) => ({ publicKey, weight: 1n }));
  const checks = createChecks({ crypto: fast, setId, authorities, lineage: createLineage() });
  expect(checks.commit(3n, { target, precommits })).toBe('valid');
  expect(checks.commit(2n, { target, precommits })).toBe('bad-signature');
  const [first, second, ...others] = precommits as [(typeof precommits)[0], (typeof precommits)[0]];
  const swapped = [{ ...first, signature: second.signature }, second, ...others];
  expect(checks.commit(3n, { target, precommits: swapped })).toBe('bad-signature');
});

it('a small set does without the code for many signatures', async () => {
  expect(await loadProofCrypto(crypto, 30)).toBe(crypto);
});
