import { expect, it } from 'vitest';
import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import { Writer } from '../bytes/writer.ts';
import type { Chain } from '../chain/chain.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import { reportEquivocation } from './report-equivocation.ts';

const parentHash = new Uint8Array(32).fill(1);
const parent = bytesToBlockHash(parentHash);
const best = bytesToBlockHash(new Uint8Array(32).fill(2));
const zeros = new Uint8Array(32);
const header = { parentHash, number: 2, stateRoot: zeros, extrinsicsRoot: zeros, digest: [] };
const equivocation = {
  engine: 'babe',
  slot: 5n,
  offender: zeros,
  first: header,
  second: { ...header, stateRoot: parentHash },
} as const;
const proof = new Writer(8).u8(1).vecBytes(Uint8Array.of(7)).finish();

/**
 * The blocks that were queried for a proof and the number of reports submitted, if the parent's state fails
 * with a code or has no proof.
 */
const report = async (failure: ErrorCode | null) => {
  const asked: BlockHash[] = [];
  const chain: Pick<Chain, 'best' | 'callAt'> = {
    best: () => ({ hash: best, number: 3, parent, weight: 0, isOwn: false }),
    callAt: async (hash, method, _, options) => {
      if (method === 'BabeApi_generate_key_ownership_proof') {
        asked.push(hash);
        if (hash === parent && failure !== null) throw new NodeError(failure);
        return { ok: true, output: hash === parent ? Uint8Array.of(0) : proof, logs: [] };
      }
      options?.extensions?.offchain?.submitTransaction(Uint8Array.of(9));
      return { ok: true, output: Uint8Array.of(1), logs: [] };
    },
  };
  const taken = await reportEquivocation({ chain, submit: async () => ({ ok: true }) }, equivocation);
  return { asked, taken };
};

it.each([null, 'UnknownBlock', 'StateDiscarded'] as const)(
  "without a proof at the parent (%s), the best block's is used",
  async (failure) => {
    expect(await report(failure)).toEqual({ asked: [parent, best], taken: 1 });
  },
);

it('a damaged database does not lead to a query of another block', async () => {
  await expect(report('StorageBroken')).rejects.toMatchObject({ code: 'StorageBroken' });
});
