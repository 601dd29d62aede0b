import { expect } from 'vitest';
import * as z from 'zod/mini';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { type Case, errorOf, parse, result, specification } from './case.ts';
import { alice, aliceKey, code, type Facts } from './method-cases.ts';
import { sections } from './rows.ts';
import * as psp from './schemas.ts';
import { specials } from './special-cases.ts';
import { signTransfer } from './world.ts';

const peerSample = { peerId: 'a', roles: 'FULL', protocolVersion: 1, bestHash: '0x00', bestNumber: 1 };
const declaredRounds = async () => {
  const { grandpaResults } = await import('../../src/protocol/rpc/results/consensus.ts');
  const { schema, example } = grandpaResults.grandpa_roundState;
  return schema.parse(example);
};

/** The structures of PSP-6 §2.2. */
export const structures: Readonly<Record<string, Case>> = {
  Header: async (world) => parse(psp.header, await result(world, 'chain_getHeader')),
  Block: async (world) => parse(psp.block, await result(world, 'chain_getBlock')),
  Health: async (world) => parse(psp.health, await result(world, 'system_health')),
  'Peer-info': async (world) => {
    // A node without peers returns an empty list, so the table's schema is checked instead.
    expect(await result(world, 'system_peers')).toEqual([]);
    const { systemResults } = await import('../../src/protocol/rpc/results/system.ts');
    parse(systemResults.system_peers.schema, [peerSample]);
    parse(psp.peerInfo, peerSample);
  },
  'Node-role': async (world) => parse(z.array(psp.nodeRole), await result(world, 'system_nodeRoles')),
  'Sync-state': async (world) => parse(psp.syncState, await result(world, 'system_syncState')),
  // Rounds only exist while a voter runs. Without one, this checks the error and the table's schema.
  Votes: async (world) => {
    await specials['grandpa_roundState']?.(await world.connect('open'), {} as Facts, world);
    const { best } = await declaredRounds();
    parse(psp.votes, best.prevotes);
    parse(psp.votes, best.precommits);
  },
  RoundState: async (world) => {
    await specials['grandpa_roundState']?.(await world.connect('open'), {} as Facts, world);
    parse(psp.rounds, await declaredRounds());
  },
  'Runtime-version': async (world) =>
    parse(psp.runtimeVersion, await result(world, 'state_getRuntimeVersion')),
  'Storage-change-set': async (world) => {
    const genesis = await result(world, 'chain_getBlockHash', [0]);
    const sets = (await result(world, 'state_queryStorage', [[code, '0xffff'], genesis])) as unknown[];
    parse(psp.changeSet, sets[0]);
  },
  'Read-proof': async (world) => parse(psp.readProof, await result(world, 'state_getReadProof', [[code]])),
  'Key-types': async (world) => {
    for (const type of ['babe', 'gran', 'acco', 'aura', 'imon', 'audi', 'dumy'])
      expect(await result(world, 'author_insertKey', [type, '//Dave', `0x${'22'.repeat(32)}`])).toBeNull();
  },
  'Offchain-storage-kinds': async (world) => {
    for (const kind of ['PERSISTENT', 'LOCAL'])
      expect(await result(world, 'offchain_localStorageGet', [kind, '0xdddd'])).toBeNull();
  },
  'Chain-specification': async (world) => {
    const wanted = (sections['2.2 specification'] ?? []).map((field) => field.split('.')[0] as string);
    expect(Object.keys(await specification(world)).sort()).toEqual([...new Set(wanted)].sort());
  },
};

const optional = (schema: z.ZodMiniType): z.ZodMiniType => z.nullish(schema);
export const specificationFields: Readonly<Record<string, z.ZodMiniType>> = {
  name: z.string(),
  id: z.string(),
  chainType: z.string(),
  bootNodes: z.array(z.string()),
  telemetryEndpoints: optional(z.array(z.tuple([z.string(), psp.u32]))),
  protocolId: z.nullable(z.string()),
  properties: z.record(z.string(), z.unknown()),
  forkBlocks: optional(z.array(z.tuple([psp.u32, psp.hash]))),
  badBlocks: optional(z.array(psp.hash)),
  consensusEngine: z.null(),
  'genesis.raw.top': z.record(psp.hex, psp.hex),
  'genesis.raw.childrenDefault': z.record(psp.hex, z.record(psp.hex, psp.hex)),
  lightSyncState: psp.lightSyncState,
};

/** Each type occurs in a response of a method whose row names it. */
export const types: Readonly<Record<string, Case>> = {
  STRING: async (world) => parse(z.string(), await result(world, 'system_name')),
  U32: async (world) => {
    const { specVersion } = (await result(world, 'state_getRuntimeVersion')) as { specVersion: unknown };
    parse(psp.u32, specVersion);
    const tooLarge = await errorOf(await world.connect('open'), 'state_getKeysPaged', ['0x', 2 ** 32]);
    expect(tooLarge).toMatchObject({ code: -32602 });
  },
  U64: async (world) => parse(psp.u64, await result(world, 'system_accountNextIndex', [alice])),
  U128: async (world) => {
    const fee = await result(world, 'payment_queryInfo', [await signTransfer(await world.connect('open'))]);
    expect(typeof fee === 'number' || typeof fee === 'bigint').toBe(true);
    expect(BigInt(fee as number) > 0n).toBe(true);
  },
  U8: async (world) => {
    // Lists of byte values are allowed wherever HEX is.
    expect(await result(world, 'state_getStorageSize', [[...hexToBytes(code)]])).toBeGreaterThan(0);
    const beyond = await errorOf(await world.connect('open'), 'state_getStorage', [[256]]);
    expect(beyond).toMatchObject({ code: -32602 });
  },
  BOOL: async (world) => parse(z.boolean(), await result(world, 'author_hasKey', [aliceKey, 'babe'])),
  MAP: async (world) => parse(z.record(z.string(), z.unknown()), await result(world, 'system_properties')),
  ARRAY: async (world) => parse(z.array(psp.hex), await result(world, 'state_getKeysPaged', ['0x', 2])),
  HEX: async (world) => {
    parse(psp.hex, await result(world, 'state_getStorage', [code]));
    const upper = code.toUpperCase().replace('0X', '0x');
    expect(await result(world, 'state_getStorageSize', [upper])).toBeGreaterThan(0);
  },
  HASH: async (world) => {
    const best = (await result(world, 'chain_getBlockHash')) as string;
    parse(psp.hash, best);
    expect(best.length).toBe(66);
    const short = await errorOf(await world.connect('open'), 'chain_getHeader', [best.slice(0, 64)]);
    expect(short).toMatchObject({ code: -32602 });
  },
};
