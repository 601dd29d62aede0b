import { describe, expect, it } from 'vitest';
import { connect } from './fake-connection.fixture.ts';

describe('subscriptions', () => {
  const request = (id: number, method: string, params: unknown[] = []): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const items = (sent: readonly string[], id: string): unknown[] =>
    sent
      .map((text) => JSON.parse(text) as { params?: { subscription: string; result: unknown } })
      .flatMap(({ params }) => (params?.subscription === id ? [params.result] : []));

  it('send the response first, then the head and each new one, without gaps', async () => {
    const { connection, sent, grow, settle } = connect();
    connection.receive(request(1, 'chain_subscribeNewHead'));
    grow();
    await settle();
    grow();
    await settle();
    expect(sent[0]).toBe('{"jsonrpc":"2.0","id":1,"result":"id1"}');
    expect(JSON.parse(sent[1] as string)).toMatchObject({
      method: 'chain_newHead',
      params: { subscription: 'id1' },
    });
    expect(items(sent, 'id1').map((head) => (head as { number: string }).number)).toEqual([
      '0x0',
      '0x1',
      '0x2',
    ]);
    connection.receive(request(2, 'unsubscribe_newHead', ['id1']));
    await settle();
    grow();
    await settle();
    expect(items(sent, 'id1')).toHaveLength(3);
  });

  it('report finality by the last block, and under psp-6 every block on allHeads', async () => {
    for (const [dialect, all] of [
      ['psp-6', 6],
      ['polkadot-sdk', 4],
    ] as const) {
      const { connection, sent, grow, finalize, settle } = connect({ dialect });
      connection.receive(request(1, 'chain_subscribeAllHeads'));
      connection.receive(request(2, 'chain_subscribeFinalizedHeads'));
      for (let i = 0; i < 3; i++) grow();
      finalize(2);
      await settle();
      expect(items(sent, 'id1')).toHaveLength(all);
      expect(items(sent, 'id2').map((head) => (head as { number: string }).number)).toEqual(['0x0', '0x2']);
    }
  });

  it('send all storage keys first, then the changes', async () => {
    const { connection, sent, grow, hashes, settle } = connect();
    connection.receive(request(1, 'state_subscribeStorage', [['0x3a01', '0x99']]));
    connection.receive(request(2, 'state_subscribeStorage', [[]]));
    connection.receive(request(3, 'state_subscribeStorage'));
    await settle();
    grow([['0x3a02', '0x05']]);
    grow([
      ['0x99', '0x07'],
      ['0x3a02', null],
    ]);
    await settle();
    expect(items(sent, 'id1')).toEqual([
      {
        block: hashes[0],
        changes: [
          ['0x3a01', '0x0102'],
          ['0x99', null],
        ],
      },
      { block: hashes[2], changes: [['0x99', '0x07']] },
    ]);
    expect(items(sent, 'id2')).toEqual([]);
    expect(items(sent, 'id3')).toHaveLength(2);
  });

  it('batch the notifications of one tick', async () => {
    const { connection, lists, grow, settle } = connect();
    for (let i = 0; i < 5; i++) connection.receive(request(i, 'chain_subscribeNewHeads'));
    await settle();
    lists.length = 0;
    grow();
    await settle();
    expect(lists.map((list) => list.length)).toEqual([5]);
  });

  it('end a watch with its last status', async () => {
    const { connection, sent, notify, hashes, settle } = connect();
    connection.receive(request(1, 'author_submitAndWatchExtrinsic', ['0x0404']));
    notify({ kind: 'ready' });
    await settle();
    notify({ kind: 'inBlock', block: hashes[0] as never, index: 0 });
    notify({ kind: 'finalized', block: hashes[0] as never, index: 0 });
    notify({ kind: 'ready' });
    await settle();
    expect(items(sent, 'id1')).toEqual(['ready', { inBlock: hashes[0] }, { finalized: hashes[0] }]);
    connection.receive(request(2, 'author_unwatchExtrinsic', ['id1']));
    await settle();
    expect(sent.at(-1)).toBe('{"jsonrpc":"2.0","id":2,"result":false}');
  });

  it('return false for ids of another kind, another connection or another type', async () => {
    const { ask } = connect();
    await ask('chain_subscribeAllHeads');
    for (const params of [['id1'], ['x'], [5], [], undefined, 'x'])
      expect((await ask('chain_unsubscribeNewHeads', params)).result).toBe(false);
    expect((await ask('chain_unsubscribeAllHeads', ['id1'])).result).toBe(true);
    expect((await ask('chain_unsubscribeAllHeads', ['id1'])).result).toBe(false);
  });

  it('accept only a single id under polkadot-sdk, like jsonrpsee', async () => {
    const sdk = connect();
    await sdk.ask('chain_subscribeAllHeads');
    for (const params of [['id1', 'x'], ['id1', null], [['id1']], { subscription: 'id1' }])
      expect((await sdk.ask('chain_unsubscribeAllHeads', params)).result).toBe(false);
    expect((await sdk.ask('chain_unsubscribeAllHeads', ['id1'])).result).toBe(true);
    const own = connect({ dialect: 'psp-6' });
    for (const params of [['id1', 'x'], { subscription: 'id2' }]) {
      await own.ask('chain_subscribeAllHeads');
      expect((await own.ask('chain_unsubscribeAllHeads', params)).result).toBe(true);
    }
  });

  describe('in a batch', () => {
    const batch = `[${request(1, 'chain_subscribeAllHeads')},${request(2, 'system_name')},${request(3, 'state_subscribeStorage', [5])}]`;
    const opened = '{"jsonrpc":"2.0","id":1,"result":"id1"}';
    const named = '{"jsonrpc":"2.0","id":2,"result":"Judge Node"}';

    it('are also announced individually over WebSocket under polkadot-sdk, like in jsonrpsee', async () => {
      const { connection, sent, settle } = connect();
      connection.receive(batch);
      await settle();
      const refused = sent[1] as string;
      expect(JSON.parse(refused)).toMatchObject({ id: 3, error: { code: -32602 } });
      expect(sent.slice(0, 3)).toEqual([opened, refused, `[${opened},${named},${refused}]`]);
      expect(items(sent, 'id1')).toHaveLength(1);
    });

    it.each([{ dialect: 'psp-6' }, { transport: 'port' }] as const)(
      'are announced once: %o',
      async (options) => {
        const { connection, sent, settle } = connect(options);
        connection.receive(batch);
        await settle();
        expect(sent[0]).toMatch(`[${opened},${named},`);
        expect(sent).toHaveLength(2);
      },
    );

    it('stay open if the batch response is too large but their ids have been sent', async () => {
      const limits = { maxResponseBytes: 80 };
      for (const [transport, isLive] of [
        ['ws', true],
        ['port', false],
      ] as const) {
        const { connection, sent, settle, ask } = connect({ transport, limits });
        connection.receive(batch);
        await settle();
        expect(sent.join()).toContain('-32011');
        expect((await ask('chain_unsubscribeAllHeads', ['id1'])).result).toBe(isLive);
      }
    });
  });

  it('drop a subscription that stays behind on a blocked transport', async () => {
    const { connection, sent, grow, settle, ask } = connect({ isBlocked: () => true });
    connection.receive(request(1, 'chain_subscribeNewHeads'));
    await settle();
    for (let i = 0; i < 30; i++) grow();
    await settle();
    expect(items(sent, 'id1')).toHaveLength(16);
    expect((await ask('chain_unsubscribeNewHeads', ['id1'])).result).toBe(false);
  });

  it('are refused over HTTP', async () => {
    expect((await connect({ transport: 'http' }).ask('chain_subscribeNewHeads')).error).toEqual({
      code: -32603,
      message: 'Internal error',
    });
  });

  it('send nothing after the connection has closed', async () => {
    const { connection, sent, grow, settle, server } = connect();
    connection.receive(request(1, 'chain_subscribeNewHeads'));
    await settle();
    const before = sent.length;
    server.close();
    grow();
    connection.receive(request(2, 'system_name'));
    await settle();
    expect(sent).toHaveLength(before);
  });
});
