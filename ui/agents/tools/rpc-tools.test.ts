import { expect, it } from 'vitest';
import type { RpcTable } from '../../../src/protocol/rpc/define.ts';
import { rpcTable } from '../../../src/protocol/rpc/index.ts';
import { callableMethods, needsWrites } from './rpc-tools.ts';

const open = callableMethods().flatMap(([method, entry]) => (needsWrites(method, entry) ? [] : [method]));

it('does not let readers call a method that creates, sends or changes something', () => {
  const suspects = open.filter((method) =>
    /^(author|dev|engine|keystore|offchain)_|broadcast|submit|insert|rotate|create|seal|finalize(Block)?$|set[A-Z]|add[A-Z]|remove/.test(
      method,
    ),
  );
  expect(suspects).toEqual(['author_pendingExtrinsics']);
  expect(open.length).toBeGreaterThan(50);
});

it('lists no subscriptions', () => {
  const table: RpcTable = rpcTable;
  expect(callableMethods().every(([method]) => table[method]?.kind === 'call')).toBe(true);
  expect(open).not.toContain('chain_subscribeNewHeads');
});
