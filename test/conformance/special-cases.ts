import { expect } from 'vitest';
import type * as z from 'zod/mini';
import type { Connection } from '../../src/connection.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodeHeader } from '../../worker/codec/header.ts';
import { openRecordedChain } from '../chain/recorded-chain.ts';
import { hasFixtures } from '../rigs/fixtures.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { alice, type Facts } from './method-cases.ts';
import { lightSyncState } from './schemas.ts';
import { justifyBlock, sealBlock, signTransfer, type World } from './world.ts';

/** twox128 of "Contracts" and of "ContractInfoOf". */
const contractInfoOf = '0x4342193e496fab7ec59d615ed0dc5530060e99e5378e562537cf3bc983e17b91';

/** A storage value of a real contract, from the recorded chain if the fixtures are available. */
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

/** The proof for a range of the recorded chain, whose first authority set ends at block 41. */
const proveRecorded = async (): Promise<void> => {
  if (!hasFixtures) return;
  const node = await openRecordedChain();
  const { call } = connectRpc(node, { dialect: 'psp-6' });
  const [begin, end, last] = (await call('chain_getBlockHash', [3, 30, 41])) as string[];
  const proof = await call<string>('grandpa_proveFinality', begin, end);
  // A list of one item, which begins with the hash of the justified block.
  expect(proof.startsWith(`0x04${last?.slice(2)}`)).toBe(true);
  expect(await call('grandpa_proveFinality', begin, end, 0)).toBe(proof);
  expect(await call('grandpa_proveFinality', begin, end, 1)).toBeNull();
  await node.close();
};

type Special = (connection: Connection, facts: Facts, world: World) => Promise<void>;

/** Waits for an item of this kind. */
export const until = async (inbox: { next(): Promise<unknown> }, wanted: unknown): Promise<void> => {
  for (;;) if (JSON.stringify(await inbox.next()) === JSON.stringify(wanted)) return;
};

/** The error of a call. */
export const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error) => error,
  );

/** The response of a node without a running voter, instead of rounds. */
export const noVoter = { code: 1, message: 'GRANDPA RPC endpoint not ready' };

/** Methods whose behavior cannot be described by a table of responses. */
export const specials: Readonly<Record<string, Special>> = {
  // Without a voter, blocks sealed on request get no votes.
  grandpa_roundState: async (connection) => {
    expect(await refusal(connection.request('grandpa_roundState', []))).toMatchObject(noVoter);
  },
  grandpa_proveFinality: async (connection, { genesis }) => {
    const prove = (...params: readonly unknown[]) => connection.request('grandpa_proveFinality', params);
    const failed = (why: string) => ({ code: 4, message: `GRANDPA prove finality rpc failed: ${why}` });
    const last = await sealBlock(connection);
    await justifyBlock(connection, last);
    // As in the SDK: before the first change of the authority set, no block is covered by one.
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
