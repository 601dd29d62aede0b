import { expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import { headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import type { TransactionStatus } from '../../worker/pool/pool.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { originOf } from './chain-origin.ts';
import { liveChain, openForkOf } from './fork-rig.ts';

/** A fork whose live chain has dropped the state of the base, or cannot be reached, after what was read of it so far. */

const baseNumber = 20;

const live = liveChain(baseNumber);

const failing = () => {
  const inner = originOf(live().node);
  const state: { code: 'NotCached' | 'EndpointFailed' | null } = { code: null };
  const origin: Origin = {
    ...inner,
    nodes: async (...request) => {
      if (state.code !== null) throw new NodeError(state.code, 'This is not to be had');
      return inner.nodes(...request);
    },
  };
  return { state, origin };
};

it('a primary slot of BABE needs nothing that a secondary one has not read', async () => {
  const { state, origin } = failing();
  // Without keys, blocks have secondary claims.
  const { node, call } = await openForkOf(live().node, { keys: [], origin });
  await sealOn(node);
  state.code = 'NotCached';
  await call('author_insertKey', 'babe', '//Alice', bytesToHex(live().pair('//Alice').publicKey));
  const kinds = new Set<string | undefined>();
  for (let block = 0; block < 40 && !kinds.has('primary'); block++) {
    await sealOn(node);
    const header = await node.parts.chain.loadHeader(node.parts.chain.best().hash);
    kinds.add(header === null ? undefined : headerPreDigest(header)?.kind);
  }
  expect(kinds).toContain('primary');
  await node.close();
});

const openWithTransfer = async () => {
  const { state, origin } = failing();
  const fork = await openForkOf(live().node, { origin });
  const { node, call } = fork;
  // All that a transfer reads but the account of its receiver.
  await call(
    'author_submitExtrinsic',
    await live().transfer('//Alice', live().pair('//Bob').publicKey, 10n ** 12n, 0),
  );
  expect(await call('dev_seal')).toMatchObject({ included: 1 });
  const seen: TransactionStatus[] = [];
  const submit = async (code: typeof state.code) => {
    const first = await live().transfer('//Alice', live().pair('//Eve').publicKey, 10n ** 12n, 1);
    const next = await live().transfer('//Alice', live().pair('//Bob').publicKey, 10n ** 12n, 2);
    state.code = code;
    await call('author_submitExtrinsic', first);
    await call('author_submitExtrinsic', next);
    const hash = node.parts.pool.hashOf(hexToBytes(first));
    node.parts.pool.watch(hash, (status) => seen.push(status));
    return hash;
  };
  return { ...fork, state, submit, seen };
};

it('a transaction that needs a lost state is dropped with the reason, and the block is built without it', async () => {
  const { node, call, submit, seen, errors } = await openWithTransfer();
  const hash = await submit('NotCached');
  const logs: string[] = [];
  node.parts.executor.watchLogs(1, ({ target, message }) => {
    if (target === 'author') logs.push(message);
  });
  expect(await call('dev_seal')).toMatchObject({ included: 0, left: [] });
  expect(seen.at(-1)).toEqual({ kind: 'dropped', why: 'NotCached: This is not to be had' });
  expect(node.parts.pool.get(hash)).toBeNull();
  expect(await call('author_pendingExtrinsics')).toEqual([]);
  expect(await call('dev_seal')).toMatchObject({ included: 0 });
  expect(logs).toEqual([`Transaction ${hash} is taken out of the pool. NotCached: This is not to be had`]);
  expect(errors).toEqual([]);
  await node.close();
});

it('one whose state cannot be read now stays for two blocks, and is included once it can', async () => {
  const { node, call, state, submit, errors } = await openWithTransfer();
  const hash = await submit('EndpointFailed');
  for (let block = 0; block < 2; block++)
    expect(await call('dev_seal')).toMatchObject({
      included: 0,
      left: [{ hash, reason: 'unread' }, { reason: 'dependent' }],
    });
  state.code = null;
  expect(await call('dev_seal')).toMatchObject({ included: 2, left: [] });
  expect(errors).toEqual([]);
  await node.close();
});

it('one whose state cannot be read for three blocks is dropped', async () => {
  const { node, call, submit, seen } = await openWithTransfer();
  await submit('EndpointFailed');
  for (let block = 0; block < 3; block++) expect(await call('dev_seal')).toMatchObject({ included: 0 });
  expect(seen.at(-1)).toEqual({ kind: 'dropped', why: 'EndpointFailed: This is not to be had' });
  expect(await call('author_pendingExtrinsics')).toEqual([]);
  await node.close();
});

it('a block of given transactions fails with the reason', async () => {
  const { node, call, state } = await openWithTransfer();
  const transfer = await live().transfer('//Alice', live().pair('//Eve').publicKey, 10n ** 12n, 1);
  state.code = 'NotCached';
  const { hash } = node.parts.chain.best();
  await expect(call('dev_newBlock', { transactions: [transfer] })).rejects.toThrow('This is not to be had');
  expect(node.parts.chain.best().hash).toBe(hash);
  await node.close();
});
