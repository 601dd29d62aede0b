import { ApiPromise, WsProvider } from '@polkadot/api';
import { Keyring } from '@polkadot/keyring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServe } from '../clients/test-process.fixture.ts';

type ApiOptions = NonNullable<Parameters<typeof ApiPromise.create>[0]>;
type Message = {
  readonly id?: number | string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly method?: string;
  readonly params?: { readonly subscription: string; readonly result: unknown };
};

/** A bare WebSocket that sends and receives texts. */
const openSocket = async (url: string) => {
  const socket = new WebSocket(url);
  const messages: Message[] = [];
  socket.onmessage = ({ data }: MessageEvent) => void messages.push(JSON.parse(String(data)) as Message);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const wait = async <T>(find: () => T | undefined): Promise<T> => {
    await expect.poll(find, { timeout: 20_000, interval: 5 }).not.toBe(undefined);
    return find() as T;
  };
  const send = (id: number | string, method: string, ...params: readonly unknown[]): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const answer = (id: number | string) => wait(() => messages.find((message) => message.id === id));
  let lastId = 1000;
  return {
    messages,
    send,
    answer,
    ask: async <T = unknown>(method: string, ...params: readonly unknown[]): Promise<T> => {
      const id = ++lastId;
      send(id, method, ...params);
      const { result, error } = await answer(id);
      if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
      return result as T;
    },
    items: (id: string): unknown[] =>
      messages.flatMap(({ params }) => (params?.subscription === id ? [params.result] : [])),
    wait,
    close: () => socket.close(),
  };
};
type Socket = Awaited<ReturnType<typeof openSocket>>;
type Header = { readonly number: string; readonly parentHash: string };

const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const eventsKey = '0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7';
const accountPrefix = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';
const aliceKey = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

describe('sequences of calls as raw texts over tabnode serve', () => {
  let node: Awaited<ReturnType<typeof startServe>>;
  let socket: Socket;
  const url = (): string => `${node.ready.ws}/?dialect=polkadot-sdk`;
  beforeAll(async () => {
    node = await startServe('--dev', '--seal', 'instant');
    socket = await openSocket(url());
  });
  afterAll(async () => {
    socket.close();
    node.kill('SIGTERM');
    expect((await node.ended).code).toBe(0);
  });

  const signRemark = async (): Promise<string> => {
    const options = { provider: new WsProvider(url()), noInitWarn: true } as unknown as ApiOptions;
    const api = await ApiPromise.create(options);
    const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
    const signed = await api.tx['system']?.['remarkWithEvent']?.('0x01').signAsync(alice, { nonce: -1 });
    await api.disconnect();
    return signed?.toHex() ?? '';
  };

  it('polkadot-js connects: five at once, metadata, versions, keep-alive', async () => {
    socket.send(1, 'chain_getBlockHash', 0);
    socket.send(2, 'state_getRuntimeVersion');
    socket.send(3, 'system_chain');
    socket.send(4, 'system_properties');
    socket.send(5, 'rpc_methods');
    expect((await socket.answer(1)).result).toBe(node.ready.genesisHash);
    expect((await socket.answer(2)).result).toMatchObject({ specName: 'tabnode' });
    expect((await socket.answer(3)).result).toBe('Development');
    expect((await socket.answer(4)).result).toMatchObject({ ss58Format: 42 });
    const { methods } = (await socket.answer(5)).result as { methods: string[] };
    for (const name of [
      'chain_subscribeNewHead',
      'chain_unsubscribeNewHead',
      'chain_subscribeFinalizedHeads',
    ])
      expect(methods).toContain(name);
    const versions = await socket.ask<string>('state_call', 'Metadata_metadata_versions', '0x');
    expect(versions).toContain('0f000000');
    const metadata = await socket.ask<string>('state_call', 'Metadata_metadata_at_version', '0x0f000000');
    expect(metadata.slice(0, 4)).toBe('0x01');
    const id = await socket.ask<string>('state_subscribeRuntimeVersion');
    expect(await socket.wait(() => socket.items(id)[0])).toMatchObject({ specName: 'tabnode' });
    expect(await socket.ask('system_health')).toEqual({ peers: 0, isSyncing: false, shouldHavePeers: false });
  });

  it('subxt, legacy: submit and watch, then read the block and its events', async () => {
    const genesis = await socket.ask('chain_getBlockHash', 0);
    expect(genesis).toBe(node.ready.genesisHash);
    const heads = await socket.ask<string>('chain_subscribeFinalizedHeads');
    const first = (await socket.wait(() => socket.items(heads)[0])) as Header;
    const nonce = await socket.ask<string>('state_call', 'AccountNonceApi_account_nonce', aliceKey);
    expect(nonce).toMatch(/^0x[0-9a-f]{8}$/);
    const extrinsic = await signRemark();
    const watched = await socket.ask<string>('author_submitAndWatchExtrinsic', extrinsic);
    await socket.wait(() => (socket.items(watched).length >= 3 ? true : undefined));
    const [ready, included, final] = socket.items(watched) as [
      string,
      { inBlock: string },
      { finalized: string },
    ];
    expect([ready, included, final]).toEqual(['ready', { inBlock: hash }, { finalized: included.inBlock }]);
    expect(await socket.ask('author_unwatchExtrinsic', watched)).toBe(false);
    const { block } = await socket.ask<{ block: { extrinsics: string[] } }>(
      'chain_getBlock',
      final.finalized,
    );
    expect(block.extrinsics).toContain(extrinsic);
    const events = await socket.ask<string>('state_getStorage', eventsKey, final.finalized);
    expect(events.length).toBeGreaterThan(20);
    expect(await socket.ask('state_queryStorageAt', [eventsKey], final.finalized)).toEqual([
      { block: final.finalized, changes: [[eventsKey, events]] },
    ]);
    const last = (await socket.wait(() => socket.items(heads)[1])) as Header;
    expect(Number(last.number)).toBe(Number(first.number) + 1);
    expect(await socket.ask('chain_unsubscribeFinalizedHeads', heads)).toBe(true);
  });

  it('subxt, legacy: pages through all accounts, each key once', async () => {
    const keys: string[] = [];
    for (;;) {
      const page = await socket.ask<string[]>(
        'state_getKeysPaged',
        accountPrefix,
        3,
        keys.at(-1) ?? null,
        null,
      );
      keys.push(...page);
      if (page.length < 3) break;
    }
    expect(keys.length).toBeGreaterThan(3);
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  it('polkadot-api without chainHead: string ids, heads first, parents, the error text for a missing method', async () => {
    for (const [id, method] of [
      ['1-1', 'rpc_methods'],
      ['1-2', 'system_name'],
      ['1-3', 'system_properties'],
    ] as const)
      socket.send(id, method);
    expect((await socket.answer('1-2')).result).toBe('Tabnode');
    const [all, finalized] = [
      await socket.ask<string>('chain_subscribeAllHeads'),
      await socket.ask<string>('chain_subscribeFinalizedHeads'),
    ];
    const head = (await socket.wait(() => socket.items(finalized)[0])) as Header;
    expect(await socket.wait(() => socket.items(all)[0])).toEqual(head);
    const at = await socket.ask<string>('chain_getBlockHash', head.number);
    expect(await socket.ask('chain_getHeader', at)).toEqual(head);
    expect(await socket.ask('chain_getHeader', head.parentHash)).toMatchObject({
      number: `0x${(Number(head.number) - 1).toString(16)}`,
    });
    expect(await socket.ask('state_getStorageHash', '0x3a636f6465', at)).toEqual(hash);
    expect(await socket.ask('state_getReadProof', [eventsKey], at)).toMatchObject({ at });
    expect(await socket.ask('state_queryStorageAt', [eventsKey, '0x3a6a'], at)).toHaveLength(1);
    socket.send('2-1', 'no_such_method');
    expect((await socket.answer('2-1')).error).toEqual({ code: -32601, message: 'Method not found' });
  });

  it('responds to every message in JSON-RPC 2.0, with unchanged ids', () => {
    for (const message of socket.messages) {
      expect((message as { jsonrpc?: string }).jsonrpc).toBe('2.0');
      if (message.id !== undefined) expect('result' in message || 'error' in message).toBe(true);
      else expect(message.params).toMatchObject({ subscription: expect.stringMatching(/^[A-Za-z0-9]{16}$/) });
    }
  });
});
