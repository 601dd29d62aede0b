import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/protocol/node.ts';
import { type Entry, isUnsafe } from '../../src/protocol/rpc/define.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { createFakeNode } from './fake-parts.ts';
import { createRpcServer } from './server.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The table of RPC.md §4.7, and the line behind it for the methods that PSP-6 does not name. */
const both = words(`
  system_addReservedPeer system_removeReservedPeer author_removeExtrinsic author_insertKey author_rotateKeys
  state_getPairs state_queryStorage
  author_rotateKeysWithOwner system_addLogFilter system_resetLogFilter state_traceBlock state_trieMigrationStatus
  offchain_localStorageClear dev_getBlockStats state_callRecorded`);
const ofPsp6 = words('author_submitExtrinsic state_getKeysPaged childstate_getKeys');
const ofSdk = words(`
  system_peers system_networkState system_dryRun author_hasKey author_hasSessionKeys offchain_localStorageSet
  offchain_localStorageGet babe_epochAuthorship`);
/** Safe with keys, unsafe without under polkadot-sdk. */
const halfSafe = 'state_subscribeStorage';

const entries = Object.entries<Entry>(rpcTable);
const expected = (dialect: Dialect): string[] => {
  // The node's own rows steer it: all of them are unsafe.
  const own = entries.map(([name]) => name).filter((name) => name.startsWith('dev_'));
  return [...new Set([...both, ...own, ...(dialect === 'psp-6' ? ofPsp6 : ofSdk)])].sort();
};

describe.each(['psp-6', 'polkadot-sdk'] as const)(
  'what a connection that denies unsafe calls refuses, %s',
  (dialect) => {
    const open = () =>
      createRpcServer(createFakeNode().parts).connect(() => undefined, {
        dialect,
        denyUnsafe: true,
        transport: 'ws',
      });

    it('is the table of the reference', () => {
      const args = { keys: [] };
      const unsafe = entries.filter(([name, entry]) => name !== halfSafe && isUnsafe(entry, dialect, args));
      expect(unsafe.map(([name]) => name).sort()).toEqual(expected(dialect));
      const storage = rpcTable[halfSafe] as unknown as Entry;
      expect(isUnsafe(storage, dialect, args)).toBe(false);
      expect(isUnsafe(storage, dialect, {})).toBe(dialect === 'polkadot-sdk');
    });

    it('is refused on the wire by every name, aliases included, and nothing else is', async () => {
      const connection = open();
      const wanted = new Set(expected(dialect));
      const wrong: string[] = [];
      for (const [name, route] of createRoutes(rpcTable)) {
        if (route.kind === 'unsubscribe' || route.method === halfSafe) continue;
        const params = route.entry.example?.args ?? {};
        const request = { jsonrpc: '2.0', id: 1, method: name, params };
        const text = (await connection.handle(JSON.stringify(request))) ?? '';
        const isDenied = /unsafe to be called externally|are unsafe and disabled/.test(text);
        if (isDenied !== wanted.has(route.method)) wrong.push(`${name}: ${text.slice(0, 200)}`);
      }
      expect(wrong).toEqual([]);
      connection.close();
    });
  },
);
