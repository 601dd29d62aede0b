import { describe, expect, it } from 'vitest';
import type { DenyUnsafe } from '../../src/protocol/node.ts';
import { type Entry, isDenied } from '../../src/protocol/rpc/define.ts';
import { docOf } from '../../src/protocol/rpc/docs/docs.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { createFakeNode } from './fake-parts.fixture.ts';
import { createRpcServer } from './server.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Methods that are unsafe in both dialects, including those that PSP-6 does not name and those that create
 * blocks.
 */
const both = words(`
  system_addReservedPeer system_removeReservedPeer author_removeExtrinsic author_insertKey author_rotateKeys
  state_getPairs state_queryStorage
  author_rotateKeysWithOwner system_addLogFilter system_resetLogFilter state_traceBlock state_trieMigrationStatus
  offchain_localStorageClear dev_getBlockStats state_callRecorded engine_createBlock engine_finalizeBlock`);
const ofPsp6 = words('author_submitExtrinsic state_getKeysPaged childstate_getKeys');
const ofSdk = words(`
  system_peers system_networkState system_dryRun author_hasKey author_hasSessionKeys offchain_localStorageSet
  offchain_localStorageGet babe_epochAuthorship`);
/** Safe with keys; without keys unsafe under polkadot-sdk. */
const halfSafe = 'state_subscribeStorage';

const entries = Object.entries<Entry>(rpcTable);
/** All of the node's own methods are unsafe, because they control it. */
const own = entries.map(([name]) => name).filter((name) => name.startsWith('dev_'));

const cases: readonly (readonly [
  denyUnsafe: DenyUnsafe,
  denied: readonly string[],
  deniesStorageWithoutKeys: boolean,
])[] = [
  [false, [], false],
  ['psp-6', [...both, ...own, ...ofPsp6], false],
  ['polkadot-sdk', [...both, ...own, ...ofSdk], true],
  [true, [...both, ...own, ...ofPsp6, ...ofSdk], true],
];

describe.each(cases)('a connection that denies: %s', (denyUnsafe, denied, deniesStorageWithoutKeys) => {
  const expected = [...new Set(denied)].sort();

  it('refuses the methods that the reference marks', () => {
    const args = { keys: [] };
    const refused = entries.filter(([name, entry]) => name !== halfSafe && isDenied(entry, denyUnsafe, args));
    expect(refused.map(([name]) => name).sort()).toEqual(expected);
    const storage = rpcTable[halfSafe] as unknown as Entry;
    expect(isDenied(storage, denyUnsafe, args)).toBe(false);
    expect(isDenied(storage, denyUnsafe, {})).toBe(deniesStorageWithoutKeys);
  });

  it.each(['psp-6', 'polkadot-sdk'] as const)(
    'refuses these under every name, aliases included, and no others, for a client that requests %s',
    async (dialect) => {
      const options = { dialect, denyUnsafe, transport: 'ws' } as const;
      const connection = createRpcServer(createFakeNode().parts).connect(() => undefined, options);
      const wrong: string[] = [];
      for (const [name, route] of createRoutes(rpcTable)) {
        if (route.kind === 'unsubscribe') continue;
        const params = route.method === halfSafe ? {} : (docOf(route.method).example ?? {});
        const request = { jsonrpc: '2.0', id: 1, method: name, params };
        const text = (await connection.handle(JSON.stringify(request))) ?? '';
        const isRefused = /unsafe to be called externally|are unsafe and disabled/.test(text);
        const isExpected =
          route.method === halfSafe ? deniesStorageWithoutKeys : denied.includes(route.method);
        if (isRefused !== isExpected) wrong.push(`${name}: ${text.slice(0, 200)}`);
      }
      expect(wrong).toEqual([]);
      connection.close();
    },
  );
});
