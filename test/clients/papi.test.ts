import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { createClient, type PolkadotClient } from 'polkadot-api';
import { getPolkadotSigner } from 'polkadot-api/signer';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { papiProvider } from '../../src/providers/papi.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, loadNextRuntime, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { sealOn } from '../rigs/seal-on.ts';

/**
 * Tests the client of polkadot-api over the provider, on real chains. It uses only the chainHead, archive and
 * transaction groups.
 */

type Api = ReturnType<PolkadotClient['getUnsafeApi']>;
const pair = (suri: string) => new Keyring({ type: 'sr25519' }).addFromUri(suri);
const signer = (suri: string) => {
  const { publicKey, sign } = pair(suri);
  return getPolkadotSigner(publicKey, 'Sr25519', (input) => sign(input));
};

let node: Node;
let client: PolkadotClient;
let api: Api;
const methods = new Set<string>();
beforeAll(async () => void (await cryptoWaitReady()));
beforeEach(async () => {
  node = await createNode(createTestPlatform(), testConfig('development', { finality: { kind: 'manual' } }));
  methods.clear();
  const provider = papiProvider(openPort(node));
  client = createClient((onMessage) => {
    const { send, disconnect } = provider(onMessage);
    return {
      send: (message) => {
        methods.add(message.method);
        send(message);
      },
      disconnect,
    };
  });
  api = client.getUnsafeApi();
});
afterEach(async () => {
  client.destroy();
  await node.close();
});

const seal = (parent?: BlockHash): Promise<BlockHash> => sealOn(node, parent);
const finalize = (hash: BlockHash): Promise<void> => node.parts.chain.finalize(hash);
const until = (read: () => unknown, expected: unknown) =>
  expect.poll(read, { timeout: 20_000 }).toEqual(expected);

it('follows finalized blocks, and the best ones over a fork', { timeout: 60_000 }, async () => {
  const finalized: string[] = [];
  const best: string[] = [];
  const errors: unknown[] = [];
  const error = (reason: unknown) => errors.push(reason);
  client.finalizedBlock$.subscribe({ next: ({ hash }) => finalized.push(hash), error });
  client.bestBlocks$.subscribe({ next: ([block]) => best.push(block?.hash ?? ''), error });
  await until(() => finalized, [node.parts.chain.genesisHash]);
  const trunk = await seal();
  const lost = await seal(trunk);
  await until(() => best.at(-1), lost);
  let won = trunk;
  while (node.parts.chain.best().hash === lost) won = await seal(won);
  await until(() => best.at(-1), won);
  await finalize(won);
  await until(() => finalized.at(-1), won);
  expect(finalized).not.toContain(lost);
  expect(errors).toEqual([]);
  expect(
    [...methods].filter((name) => !/^(chainHead|chainSpec|archive|transaction)_v1_|^rpc_methods$/.test(name)),
  ).toEqual([]);
});

it('receives each best block above the finalized one while finality is delayed', async () => {
  node.parts.finality.setMode({ kind: 'delayed', blocks: 1 });
  const seen: string[][] = [];
  client.bestBlocks$.subscribe((blocks) => seen.push(blocks.map(({ hash }) => hash)));
  await until(() => seen.at(-1), [node.parts.chain.genesisHash]);
  const first = await seal();
  await until(() => seen.at(-1), [first, node.parts.chain.genesisHash]);
  const second = await seal();
  await until(() => seen.at(-1), [second, first]);
});

it('reads storage, its entries and constants, and calls the runtime', { timeout: 60_000 }, async () => {
  const account = pair('//Alice').address;
  const alice = (await api.query['System']?.['Account']?.getValue(account)) as {
    nonce: number;
    data: { free: bigint };
  };
  expect(alice.nonce).toBe(0);
  expect(alice.data.free).toBeGreaterThan(10n ** 12n);
  const entries = (await api.query['System']?.['Account']?.getEntries()) as {
    keyArgs: [string];
    value: typeof alice;
  }[];
  const found = entries.find(({ keyArgs: [key] }) => key === account);
  expect(found?.value.data.free).toBe(alice.data.free);
  expect(entries.length).toBeGreaterThan(2);
  expect(await api.apis['AccountNonceApi']?.['account_nonce']?.(account)).toBe(0);
  expect(await api.query['System']?.['Number']?.getValue({ at: await seal() })).toBe(1);
});

it('signs, submits and watches a transfer until it is finalized', { timeout: 60_000 }, async () => {
  const dest = { type: 'Id', value: pair('//Zoe').address };
  const transfer = api.tx['Balances']?.['transfer_keep_alive']?.({ dest, value: 10n ** 12n });
  const events: { type: string; found?: boolean; block?: { hash: string; index: number } }[] = [];
  let failure: unknown;
  transfer?.signSubmitAndWatch(signer('//Alice')).subscribe({
    next: (event) => events.push(event as (typeof events)[0]),
    error: (error) => {
      failure = error;
    },
  });
  await expect.poll(() => failure ?? node.parts.pool.pending().length, { timeout: 20_000 }).toBe(1);
  const block = await seal();
  await until(() => events.at(-1)?.block?.hash, block);
  await finalize(block);
  await until(() => events.at(-1)?.type, 'finalized');
  expect(events.map(({ type }) => type)).toEqual(['signed', 'broadcasted', 'txBestBlocksState', 'finalized']);
  expect(failure).toBe(undefined);
  expect(events.at(-1)).toMatchObject({ ok: true, block: { hash: block } });
  const zoe = await api.query['System']?.['Account']?.getValue(dest.value);
  expect(zoe).toMatchObject({ data: { free: 10n ** 12n } });
});

it('shares a connection with calls that use other ids, and opens its own one to a node', async () => {
  const port = openPort(node);
  const heard: object[] = [];
  const { send, disconnect } = papiProvider({ connect: async () => port })((message) => heard.push(message));
  send({ jsonrpc: '2.0', id: 1, method: 'system_name', params: [] });
  const subscribed = port.subscribe('chain_subscribeNewHeads', [], () => undefined);
  send({ jsonrpc: '2.0', id: 'x', method: 'chain_nothing', params: [] });
  await subscribed;
  await expect.poll(() => heard.length).toBe(3);
  expect(heard).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 1, result: 'Tabnode' },
      expect.objectContaining({ method: 'chain_newHead' }),
      { jsonrpc: '2.0', id: 'x', error: { code: -32601, message: 'Method not found' } },
    ]),
  );
  disconnect();
  expect(port.isOpen()).toBe(false);
  expect(() => port.post({})).toThrow(expect.objectContaining({ code: 'Disconnected' }));
});

it('detects a runtime upgrade', { timeout: 60_000 }, async () => {
  const version = async (at: string) =>
    ((await api.constants['System']?.['Version']?.({ at })) as { spec_version: number } | undefined)
      ?.spec_version ?? 0;
  const before = await version(node.parts.chain.genesisHash);
  const setCode = api.tx['System']?.['set_code_without_checks']?.({ code: await loadNextRuntime() });
  const sudo = api.tx['Sudo']?.['sudo']?.({ call: setCode?.decodedCall });
  const done = sudo?.signAndSubmit(signer('//Alice'));
  await expect.poll(() => node.parts.pool.pending().length, { timeout: 20_000 }).toBe(1);
  const block = await seal();
  await finalize(block);
  expect((await done)?.ok).toBe(true);
  const next = await seal();
  await finalize(next);
  await until(async () => (await client.getFinalizedBlock()).hash, next);
  expect(await version(next)).toBeGreaterThan(before);
});
