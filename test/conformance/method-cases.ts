import { expect } from 'vitest';
import * as z from 'zod/mini';
import type { Connection } from '../../src/connection.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeHeader } from '../../worker/codec/header.ts';
import { hasFixtures } from '../fixtures.ts';
import { openRecordedChain } from '../recorded-chain.ts';
import { connectRpc } from '../rpc.ts';
import { justifyBlock, sealBlock, signTransfer, type World } from './world.ts';

/** What the calls of a run may name. */
export type Facts = {
  readonly best: string;
  readonly genesis: string;
  readonly extrinsic: string;
};

export const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
export const aliceKey = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
export const code = '0x3a636f6465';
const childKey = '0x3a6368696c645f73746f726167653a64656661756c743a0102';

// The types of PSP-6 §2.1 and its structures of §2.2, as their text has them.
export const hex = z.string().check(z.regex(/^0x[a-fA-F0-9]*$/));
export const hash = z.string().check(z.regex(/^0x[a-fA-F0-9]{64}$/));
export const u32 = z.int().check(z.minimum(0), z.maximum(0xffff_ffff));
export const u64 = z.union([z.int().check(z.minimum(0)), z.bigint()]);
const text = z.string();
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
/** The weight is called HEX there; its sample, and whatever reads it, has a number. */
export const lightSyncState = z.strictObject({
  finalizedBlockHeader: hex,
  babeEpochChanges: hex,
  babeFinalizedBlockWeight: u32,
  grandpaAuthoritySet: hex,
});
export const readProof = z.object({ at: hash, proof: z.array(hex) });
const slots = z.array(u64);
const nothing = z.null();

export type Call = readonly [params: readonly unknown[], result: z.ZodMiniType];
type MakeCalls = (facts: Facts) => readonly Call[];

/** Methods that answer: each with calls that a node must take and the type of the answer. */
export const calls: Readonly<Record<string, MakeCalls>> = {
  rpc_methods: () => [[[], z.object({ methods: z.array(text) })]],
  system_name: () => [[[], text]],
  system_version: () => [[[], text.check(z.regex(/^\d+\.\d+\.\d+/))]],
  system_chain: () => [[[], z.literal('Development')]],
  system_chainType: () => [[[], text]],
  system_properties: () => [[[], z.record(text, z.unknown())]],
  system_health: () => [[[], health]],
  system_localPeerId: () => [[[], text.check(z.regex(/^[1-9A-HJ-NP-Za-km-z]+$/))]],
  system_localListenAddresses: () => [[[], z.array(text)]],
  system_peers: () => [[[], z.array(peerInfo)]],
  system_networkState: () => [[[], z.object({ peerId: text })]],
  system_nodeRoles: () => [[[], z.array(nodeRole)]],
  system_syncState: () => [[[], syncState]],
  system_accountNextIndex: () => [[[alice], u64]],
  system_dryRun: ({ extrinsic, best }) => [
    [[extrinsic], z.literal('0x0000')],
    [[extrinsic, best], hex],
    [[extrinsic, null], hex],
  ],
  babe_epochAuthorship: () => [
    [[], z.record(text, z.object({ primary: slots, secondary: slots, secondary_vrf: slots }))],
  ],
  author_pendingExtrinsics: () => [[[], z.array(hex)]],
  author_rotateKeys: () => [[[], hex]],
  author_hasSessionKeys: () => [[[`0x${'11'.repeat(64)}`], z.literal(false)]],
  author_hasKey: () => [
    [[aliceKey, 'babe'], z.literal(true)],
    [[`0x${'11'.repeat(32)}`, 'babe'], z.literal(false)],
  ],
  chain_getHeader: ({ best, genesis }) => [
    [[], header],
    [[null], header],
    [[best], header],
    [[genesis], header],
    [[`0x${'11'.repeat(32)}`], nothing],
  ],
  chain_getBlock: ({ best }) => [
    [[], block],
    [[best], block],
    [[`0x${'11'.repeat(32)}`], nothing],
  ],
  chain_getBlockHash: ({ best, genesis }) => [
    [[], z.literal(best)],
    [[0], z.literal(genesis)],
    [['0x0'], z.literal(genesis)],
    [[[0, '0x1', 4_000_000]], z.tuple([z.literal(genesis), hash, nothing])],
    [[4_000_000], nothing],
  ],
  chain_getFinalizedHead: () => [[[], hash]],
  offchain_localStorageSet: () => [
    [['PERSISTENT', '0x01', '0x0203'], nothing],
    [['LOCAL', '0x01', '0x04'], nothing],
  ],
  offchain_localStorageGet: () => [[['PERSISTENT', '0xffee'], nothing]],
  state_call: ({ best }) => [
    [['Core_version', '0x'], hex],
    [['Core_version', '0x', best], hex],
  ],
  state_getPairs: ({ best }) => [
    [[code.slice(0, 10)], z.array(z.tuple([hex, hex]))],
    [['0x26aa394eea5630e07c48ae0c9558cef7', best], z.array(z.tuple([hex, hex]))],
  ],
  state_getKeysPaged: ({ best }) => [
    [['0x', 3], z.array(hex).check(z.length(3))],
    [[null, 3, null, best], z.array(hex).check(z.length(3))],
    [['0x3a', 5, code], z.array(hex)],
  ],
  state_getStorage: ({ best }) => [
    [[code], hex],
    [[code, best], hex],
    [['0xffff'], nothing],
  ],
  state_getStorageHash: ({ best }) => [
    [[code, best], hash],
    [['0xffff'], nothing],
  ],
  state_getStorageSize: ({ best }) => [
    [[code, best], u64],
    [['0xffff'], nothing],
  ],
  state_getMetadata: ({ best }) => [
    [[], hex],
    [[best], hex],
  ],
  state_getRuntimeVersion: ({ best }) => [
    [[], runtimeVersion],
    [[best], runtimeVersion],
  ],
  state_queryStorage: ({ genesis, best }) => [
    [[[code, '0xffff'], genesis], z.array(changeSet)],
    [[[code], genesis, best], z.array(changeSet)],
  ],
  state_getReadProof: ({ best }) => [
    [[[code]], readProof],
    [[[code, '0xffff'], best], readProof],
  ],
  childstate_getKeys: ({ best }) => [
    [[childKey, ''], z.array(hex)],
    [[childKey, '0x', best], z.array(hex)],
  ],
  childstate_getStorage: ({ best }) => [[[childKey, '0x01', best], nothing]],
  childstate_getStorageHash: ({ best }) => [[[childKey, '0x01', best], nothing]],
  childstate_getStorageSize: ({ best }) => [[[childKey, '0x01', best], nothing]],
  engine_createBlock: () => [[[true, false], z.object({ hash })]],
  engine_finalizeBlock: ({ best }) => [[[best], z.boolean()]],
  payment_queryInfo: ({ extrinsic, best }) => [
    [[extrinsic], u64],
    [[extrinsic, best], u64],
  ],
  contracts_call: () => [
    [
      [{ origin: alice, dest: alice, value: 0, gasLimit: null, inputData: '0x' }],
      z.object({ result: z.unknown() }),
    ],
  ],
  contracts_rentProjection: () => [[[alice], nothing]],
};

/** twox128 of "Contracts" and of "ContractInfoOf". */
const contractInfoOf = '0x4342193e496fab7ec59d615ed0dc5530060e99e5378e562537cf3bc983e17b91';

/** A value of a real contract's storage: those of the recorded chain, where the fixtures are. */
const readContract = async (): Promise<void> => {
  if (!hasFixtures) return;
  const node = await openRecordedChain();
  const { ask, call } = connectRpc(node, { dialect: 'psp-6' });
  const prefix = bytesToHex(new TextEncoder().encode(':child_storage:default:'));
  const keys = (await call('state_getKeys', contractInfoOf)) as string[];
  const tries = (await call('state_getKeys', prefix)) as string[];
  let found = 0;
  for (const child of tries) {
    const [name] = (await call('childstate_getKeys', child, '0x')) as string[];
    if (name === undefined) continue;
    // blake2-128 of the key, then the key itself.
    const plain = `0x${name.slice(2 + 32)}`;
    const expected = await call('childstate_getStorage', child, name);
    for (const key of keys)
      if ((await ask('contracts_getStorage', `0x${key.slice(-64)}`, plain)).result === expected) found += 1;
  }
  expect(found).toBeGreaterThan(0);
  await node.close();
};

/** The proof of a range of the recorded chain, whose first authority set ends at block 41. */
const proveRecorded = async (): Promise<void> => {
  if (!hasFixtures) return;
  const node = await openRecordedChain();
  const { call } = connectRpc(node, { dialect: 'psp-6' });
  const [begin, end, last] = (await call('chain_getBlockHash', [3, 30, 41])) as string[];
  const proof = await call<string>('grandpa_proveFinality', begin, end);
  // A list of one, which begins with the hash of the justified block.
  expect(proof.startsWith(`0x04${last?.slice(2)}`)).toBe(true);
  expect(await call('grandpa_proveFinality', begin, end, 0)).toBe(proof);
  expect(await call('grandpa_proveFinality', begin, end, 1)).toBeNull();
  await node.close();
};

type Special = (connection: Connection, facts: Facts, world: World) => Promise<void>;

const until = async (inbox: { next(): Promise<unknown> }, wanted: unknown): Promise<void> => {
  for (;;) if (JSON.stringify(await inbox.next()) === JSON.stringify(wanted)) return;
};

/** The error of a call. */
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error) => error,
  );

/** What a node without a running voter answers instead of rounds (RPC.md §1.4). */
export const noVoter = { code: 1, message: 'GRANDPA RPC endpoint not ready' };
export const rounds = z.object({ setId: u32, best: roundState, background: z.array(roundState) });

/** Methods whose call does something that a table of answers cannot tell. */
export const specials: Readonly<Record<string, Special>> = {
  // Nobody votes where blocks are sealed on request.
  grandpa_roundState: async (connection) => {
    expect(await refusal(connection.request('grandpa_roundState', []))).toMatchObject(noVoter);
  },
  grandpa_proveFinality: async (connection, { genesis }) => {
    const prove = (...params: readonly unknown[]) => connection.request('grandpa_proveFinality', params);
    const failed = (why: string) => ({ code: 4, message: `GRANDPA prove finality rpc failed: ${why}` });
    const last = await sealBlock(connection);
    await justifyBlock(connection, last);
    // As the SDK: before the first change of the authority set no block is known to belong to one.
    const uncovered = failed('Block not covered by authority set changes');
    expect(await refusal(prove(genesis, last))).toMatchObject(uncovered);
    const open = await sealBlock(connection);
    expect(await refusal(prove(genesis, open))).toMatchObject(failed('Block not yet finalized'));
    expect(await refusal(prove(genesis, `0x${'11'.repeat(32)}`))).toMatchObject({ code: 4 });
    await proveRecorded();
  },
  sync_state_genSyncSpec: async (connection) => {
    const last = await sealBlock(connection, { finalize: true });
    const { number } = (await connection.request('chain_getHeader', [last])) as { number: string };
    for (const [isRaw, form] of [
      [true, 'raw'],
      [false, 'runtimeGenesis'],
    ] as const) {
      const spec = (await connection.request('sync_state_genSyncSpec', [isRaw])) as {
        genesis: object;
        lightSyncState: z.infer<typeof lightSyncState>;
      };
      expect(Object.keys(spec.genesis)).toEqual([form]);
      const state = lightSyncState.parse(spec.lightSyncState);
      expect(decodeHeader(hexToBytes(state.finalizedBlockHeader)).number).toBe(Number(number));
    }
  },
  author_submitExtrinsic: async (connection) => {
    const extrinsic = await signTransfer(connection);
    expect(await connection.request('author_submitExtrinsic', [extrinsic])).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await connection.request('author_pendingExtrinsics', [])).toContain(extrinsic);
    await sealBlock(connection);
  },
  author_removeExtrinsic: async (connection) => {
    for (const wrap of [(one: unknown) => one, (one: unknown) => [one]]) {
      const extrinsic = await signTransfer(connection);
      const id = await connection.request('author_submitExtrinsic', [extrinsic]);
      expect(await connection.request('author_removeExtrinsic', [wrap(id)])).toEqual([extrinsic]);
    }
    expect(await connection.request('author_removeExtrinsic', [[`0x${'11'.repeat(32)}`]])).toEqual([]);
  },
  author_insertKey: async (connection) => {
    const key = '0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48';
    expect(await connection.request('author_insertKey', ['imon', '//Bob', key])).toBeNull();
    expect(await connection.request('author_hasKey', [key, 'imon'])).toBe(true);
  },
  system_addReservedPeer: async (connection) => {
    const peer = '12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp';
    const address = `/ip4/127.0.0.1/tcp/30333/p2p/${peer}`;
    expect(await connection.request('system_addReservedPeer', [address])).toBeNull();
    expect(await refusal(connection.request('system_addReservedPeer', ['nowhere']))).toMatchObject({
      code: 2002,
    });
  },
  system_removeReservedPeer: async (connection) => {
    const peer = '12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp';
    expect(await connection.request('system_removeReservedPeer', [peer])).toBeNull();
    expect(await refusal(connection.request('system_removeReservedPeer', ['?']))).toMatchObject({
      code: 2002,
    });
  },
  offchain_localStorageGet: async (connection) => {
    for (const kind of ['PERSISTENT', 'LOCAL']) {
      await connection.request('offchain_localStorageSet', [kind, '0xaa', '0x0102']);
      expect(await connection.request('offchain_localStorageGet', [kind, '0xaa'])).toBe('0x0102');
    }
  },
  contracts_getStorage: async (connection) => {
    const key = `0x${'00'.repeat(32)}`;
    // There is no contract at Alice's address.
    expect(await refusal(connection.request('contracts_getStorage', [alice, key]))).toMatchObject({
      code: 2,
      message: "The specified contract doesn't exist.",
    });
    await readContract();
  },
};

/** A subscription: how to open it, how to make it speak, what it says. */
type Stream = {
  readonly method: string;
  readonly unsubscribe: string;
  readonly params?: readonly unknown[];
  readonly payload: z.ZodMiniType;
  /** Makes an item come after the first one, if any comes by itself. */
  readonly speak: (connection: Connection) => Promise<unknown>;
};

/** By the name of their notifications. */
export const streams: Readonly<Record<string, Stream>> = {
  chain_allHead: {
    method: 'chain_subscribeAllHeads',
    unsubscribe: 'chain_unsubscribeAllHeads',
    payload: header,
    speak: (connection) => sealBlock(connection),
  },
  chain_newHead: {
    method: 'chain_subscribeNewHeads',
    unsubscribe: 'chain_unsubscribeNewHeads',
    payload: header,
    speak: (connection) => sealBlock(connection),
  },
  chain_finalizedHead: {
    method: 'chain_subscribeFinalizedHeads',
    unsubscribe: 'chain_unsubscribeFinalizedHeads',
    payload: header,
    speak: (connection) => sealBlock(connection, { finalize: true }),
  },
  state_runtimeVersion: {
    method: 'state_subscribeRuntimeVersion',
    unsubscribe: 'state_unsubscribeRuntimeVersion',
    payload: runtimeVersion,
    speak: async () => undefined,
  },
  state_storage: {
    method: 'state_subscribeStorage',
    unsubscribe: 'state_unsubscribeStorage',
    // System.Number, which every block changes.
    params: [['0x26aa394eea5630e07c48ae0c9558cef702a5c1b19ab7a04f536c519aca4983ac']],
    payload: changeSet,
    speak: (connection) => sealBlock(connection),
  },
  grandpa_justifications: {
    method: 'grandpa_subscribeJustifications',
    unsubscribe: 'grandpa_unsubscribeJustifications',
    payload: hex,
    speak: async (connection) => {
      await sealBlock(connection, { finalize: true });
      await justifyBlock(connection, await sealBlock(connection));
    },
  },
};

export { refusal, until };
