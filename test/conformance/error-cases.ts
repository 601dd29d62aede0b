import { expect } from 'vitest';
import type { Connection } from '../../src/connection.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { createNode } from '../../worker/node.ts';
import { createPool } from '../../worker/pool/pool.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { type Case, errorOf } from './case.ts';
import { alice, aliceKey } from './method-cases.ts';
import { sealBlock, signTransfer, type World } from './world.ts';

const badSignature = async (connection: Connection): Promise<string> => {
  const bytes = hexToBytes(await signTransfer(connection));
  bytes[50] = (bytes[50] ?? 0) ^ 1;
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

const submitError = async (connection: Connection, extrinsic: string, code: number, message: unknown) => {
  expect(await errorOf(connection, 'author_submitExtrinsic', [extrinsic])).toMatchObject({ code, message });
};

const tooLowPriority =
  'The transaction has too low priority to replace another transaction already in the pool.';
const overLimit = "The transaction couldn't enter the pool because of the limit";

const cycleTags = {
  old: [[], ['b'], 1n],
  later: [['a'], ['b'], 9n],
  newcomer: [[], ['a', 'b'], 5n],
} as const;

/**
 * No current runtime produces a cycle, so this uses the node's pool with tags of the test instead of the
 * runtime's.
 */
const cycleRefusal = async (): Promise<unknown> => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const { blake2b256 } = node.parts.crypto;
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const names = Object.keys(cycleTags) as (keyof typeof cycleTags)[];
  const pool = createPool({
    hash: blake2b256,
    now: () => 0,
    bestNumber: () => 0,
    validate: async (extrinsic) => {
      const [requires, provides, priority] = cycleTags[names[extrinsic.at(-1) ?? 0] ?? 'old'];
      const tags = { requires: requires.map(bytes), provides: provides.map(bytes) };
      return { kind: 'valid', priority, ...tags, longevity: 64n, propagate: true };
    },
  });
  const { ask } = connectRpc({ ...node, parts: { ...node.parts, pool } }, { dialect: 'psp-6' });
  const submit = (index: number) => ask('author_submitExtrinsic', `0x0c04000${index}`);
  await submit(0);
  await submit(1);
  const { error: refused } = await submit(2);
  expect(pool.readyCount()).toBe(1);
  expect(pool.futureCount()).toBe(1);
  await node.close();
  return refused;
};

/** The errors of PSP-6 §7. */
export const errors: Readonly<Record<string, Case>> = {
  '1001': async (world) => {
    const connection = await world.connect('open');
    await submitError(connection, '0x', 1001, expect.stringMatching(/^Extrinsic has invalid format: ./));
  },
  '1002': async (world) => {
    const connection = await world.connect('open');
    await submitError(connection, '0x00', 1002, expect.stringMatching(/^Extrinsic verification error: ./));
  },
  '1010': async (world) => {
    const connection = await world.connect('open');
    await submitError(connection, await badSignature(connection), 1010, 'Invalid Transaction');
  },
  '1011': async (world) => {
    const connection = await world.connect('open');
    // A bare sudo call, for which there is no validation.
    await submitError(connection, '0x18040b00000000', 1011, 'Unknown Transaction Validity');
  },
  '1012': async (world) => {
    const connection = await world.connect('banning');
    const extrinsic = await signTransfer(connection);
    const hash = await connection.request('author_submitExtrinsic', [extrinsic]);
    await connection.request('author_removeExtrinsic', [hash]);
    await submitError(connection, extrinsic, 1012, 'Transaction is temporarily banned');
  },
  '1013': async (world) => {
    const connection = await world.connect('open');
    const extrinsic = await signTransfer(connection);
    await connection.request('author_submitExtrinsic', [extrinsic]);
    await submitError(connection, extrinsic, 1013, 'Transaction Already Imported');
    await sealBlock(connection);
  },
  '1014': async (world) => {
    const connection = await world.connect('open');
    const nonce = (await connection.request('system_accountNextIndex', [alice])) as number;
    const better = await signTransfer(connection, { nonce, tip: 1_000_000_000n });
    await connection.request('author_submitExtrinsic', [better]);
    await submitError(connection, await signTransfer(connection, { nonce }), 1014, tooLowPriority);
    await sealBlock(connection);
  },
  '1015': async () => {
    expect(await cycleRefusal()).toMatchObject({ code: 1015, message: 'Cycle Detected' });
  },
  '1016': async (world) => {
    const connection = await world.connect('narrow');
    const first = await signTransfer(connection, { tip: 1_000_000_000n });
    await connection.request('author_submitExtrinsic', [first]);
    await submitError(connection, await signTransfer(connection, { from: '//Bob' }), 1016, overLimit);
    await sealBlock(connection);
  },
  '1017': async (world) => {
    const connection = await world.connect('open');
    const refused = await errorOf(connection, 'author_insertKey', ['what', '//Alice', aliceKey]);
    expect(refused).toMatchObject({ code: 1017, message: expect.stringContaining('public key') });
  },
};

const inRange = async (world: World, base: number, method: string, params: readonly unknown[]) => {
  const { code } = (await errorOf(await world.connect('open'), method, params)) as { code: number };
  expect(code).toBeGreaterThanOrEqual(base);
  expect(code).toBeLessThan(base + 1000);
};

/** The base of each namespace's error numbers, and a call that is refused. */
export const ranges: Readonly<Record<string, Case>> = {
  author: async (world) => inRange(world, 1000, 'author_submitExtrinsic', ['0x']),
  system: async (world) => inRange(world, 2000, 'system_addReservedPeer', ['nowhere']),
  chain: async (world) => inRange(world, 3000, 'chain_getBlockHash', [2 ** 40]),
  state: async (world) => inRange(world, 4000, 'state_getStorage', ['0x', `0x${'11'.repeat(32)}`]),
  // The only error of the SDK here, 5001 for an unsupported kind, belongs to its dialect; psp-6 supports both
  // kinds. An invalid kind is an envelope error, and no call with a valid kind is refused.
  offchain: async (world) => {
    const connection = await world.connect('open');
    for (const kind of ['ELSEWHERE', 'persistent', '', 5])
      for (const [method, value] of [
        ['offchain_localStorageGet', []],
        ['offchain_localStorageSet', ['0x02']],
      ] as const) {
        const refused = await errorOf(connection, method, [kind, '0x01', ...value]);
        expect(refused).toMatchObject({ code: -32602 });
      }
    for (const kind of ['PERSISTENT', 'LOCAL'])
      for (const key of ['0x', '0x01', `0x${'ff'.repeat(1000)}`]) {
        expect(await errorOf(connection, 'offchain_localStorageSet', [kind, key, key])).toBe('no error');
        expect(await connection.request('offchain_localStorageGet', [kind, key])).toBe(key);
      }
  },
};
