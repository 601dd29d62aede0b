import * as z from 'zod/mini';

// The types of PSP-6 §2.1 and its structures of §2.2, as written there.
export const hex = z.string().check(z.regex(/^0x[a-fA-F0-9]*$/));
export const hash = z.string().check(z.regex(/^0x[a-fA-F0-9]{64}$/));
export const u32 = z.int().check(z.minimum(0), z.maximum(0xffff_ffff));
export const u64 = z.union([z.int().check(z.minimum(0)), z.bigint()]);
export const text = z.string();
export const header = z.strictObject({
  parentHash: hash,
  number: hex,
  stateRoot: hash,
  extrinsicsRoot: hash,
  digest: z.object({ logs: z.array(hex) }),
});
export const block = z.object({
  block: z.object({ extrinsics: z.array(hex), header }),
  justification: z.nullable(hex),
});
export const health = z.object({ isSyncing: z.boolean(), peers: u32, shouldHavePeers: z.boolean() });
export const peerInfo = z.object({
  peerId: text,
  roles: z.enum(['NONE', 'FULL', 'LIGHT', 'AUTHORITY']),
  protocolVersion: u32,
  bestHash: hex,
  bestNumber: u64,
});
export const nodeRole = z.enum(['Full', 'LightClient', 'Authority']);
export const syncState = z.object({ currentBlock: u32, highestBlock: u32, startingBlock: u32 });
export const votes = z.object({ currentWeight: u32, missing: z.array(text) });
export const roundState = z.object({
  round: u32,
  totalWeight: u32,
  thresholdWeight: u32,
  prevotes: votes,
  precommits: votes,
});
export const runtimeVersion = z.object({
  specName: text,
  implName: text,
  authoringVersion: u32,
  specVersion: u32,
  implVersion: u32,
  apis: z.array(z.tuple([hex, u32])),
  transactionVersion: u32,
});
export const changeSet = z.object({
  block: hash,
  changes: z.array(z.tuple([hex, z.nullable(hex)])),
});
/** PSP-6 declares the weight as HEX, but its sample is a number, which is also what clients expect. */
export const lightSyncState = z.strictObject({
  finalizedBlockHeader: hex,
  babeEpochChanges: hex,
  babeFinalizedBlockWeight: u32,
  grandpaAuthoritySet: hex,
});
export const readProof = z.object({ at: hash, proof: z.array(hex) });
export const rounds = z.object({ setId: u32, best: roundState, background: z.array(roundState) });
