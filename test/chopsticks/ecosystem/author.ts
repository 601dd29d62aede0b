import { blake2AsU8a } from '@polkadot/util-crypto';
import { describe, expect, it } from 'vitest';
import { type Client, isChopsticks } from './testing.ts';

/**
 * Whom a slot without a primary claim names, computed from the state: `secondary_slot_author` of the SDK's sc-consensus-babe
 * (authorship.rs).
 */
const authorOf = async ({ api }: Client, slot: bigint): Promise<number> => {
  const seed = new Uint8Array(40);
  seed.set((await api.query.babe.randomness()).toU8a());
  new DataView(seed.buffer).setBigUint64(32, slot, true);
  const hash = BigInt(`0x${Buffer.from(blake2AsU8a(seed)).toString('hex')}`);
  return Number(hash % BigInt((await api.query.babe.authorities()).length));
};

/** Who makes the blocks of a fork. */
export const authorTests = (client: () => Client): void => {
  describe('author', () => {
    // chopsticks repeats the authority of the block before, which a node refuses in most slots.
    it.skipIf(isChopsticks)('is in each block whom its slot names', async () => {
      const { api, dev } = client();
      const slots = new Set<bigint>();
      for (let block = 0; block < 8; block++) {
        await dev.newBlock();
        const { digest } = await api.rpc.chain.getHeader();
        const claim = digest.logs.find(({ isPreRuntime }) => isPreRuntime)?.asPreRuntime[1].toU8a(true);
        if (claim === undefined) throw new Error('There is no claim in the digest');
        // `PreDigest`: its variant, where 1 is a primary claim, the index of the authority (u32) and the slot (u64).
        const view = new DataView(claim.buffer, claim.byteOffset, claim.length);
        const slot = view.getBigUint64(5, true);
        slots.add(slot);
        expect(view.getUint8(0)).toBeGreaterThan(1);
        expect(view.getUint32(1, true)).toBe(await authorOf(client(), slot));
      }
      expect(slots.size).toBe(8);
    });
  });
};
