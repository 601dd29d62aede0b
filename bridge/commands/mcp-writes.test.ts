import { describe, expect, it } from 'vitest';
import { serving } from '../clients/serving.fixture.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import {
  account,
  bob,
  client,
  notSudo,
  notSudoOutcome,
  startClient,
  transfer,
  unit,
  type Way,
} from './mcp.fixture.ts';

const ways: readonly Way[] = ['stdio', 'HTTP, 2026-07-28'];

describe.each(ways)('tabnode mcp --allow-writes over %s', (way) => {
  const mcp = client(way, '--dev', '--allow-writes');

  it('sends a transfer and returns its events', async () => {
    const { json } = await mcp().call('submit_call', transfer);
    expect(json).toMatchObject({
      status: 'inBlock',
      block: { number: 1 },
      call: 'Balances.transfer_keep_alive',
      outcome: { kind: 'ok' },
    });
    expect(json['events']).toContainEqual({
      event: 'Balances.Transfer',
      fields: expect.objectContaining({ to: bob, amount: Number(unit) }),
    });
  });

  it('explains a failed transaction, both in the result of the call and in its block', async () => {
    const { json } = await mcp().call('submit_call', { ...notSudo, from: 'Bob' });
    expect(json).toMatchObject({ status: 'inBlock', outcome: notSudoOutcome });
    const { json: block } = await mcp().call('read_block', { extrinsic: json['hash'] });
    expect(block).toMatchObject({ extrinsic: { call: 'Sudo.sudo', outcome: notSudoOutcome } });
  });

  it('sends several transactions of one account at once', async () => {
    const sent = await Promise.all([1, 2, 3].map(() => mcp().call('submit_call', transfer)));
    for (const { json } of sent) expect(json).toMatchObject({ status: 'inBlock', outcome: { kind: 'ok' } });
    expect(new Set(sent.map(({ json }) => json['hash'])).size).toBe(3);
  });

  it('signs for development accounts only', async () => {
    const told = await mcp().call('submit_call', { ...transfer, from: bob });
    expect(told.isError).toBe(true);
    expect(told.text).toContain('BadKey');
  });

  it('seals, finalizes and restores a snapshot', async () => {
    const { json: before } = await mcp().call('snapshot', { name: 'here' });
    const from = before['number'] as number;
    const { json: sealed } = await mcp().call('seal_blocks', { count: 2 });
    expect(sealed).toMatchObject({ number: from + 2, left: [] });
    expect((await mcp().call('finalize')).json).toMatchObject({ number: from + 2 });
    await mcp().call('restore', { name: 'here' });
    const { json } = await mcp().call('chain_status');
    expect(json).toMatchObject({ best: { number: from }, snapshots: [{ name: 'here' }], allowsWrites: true });
  });

  it('sets storage and moves time', async () => {
    const values = { System: { Account: [[[bob], { providers: 1, data: { free: unit } }]] } };
    expect((await mcp().call('set_storage', { values })).json['hash']).toMatch(/^0x/);
    const { json } = await mcp().call('read_storage', account('Bob'));
    expect(json).toMatchObject({ value: { data: { free: Number(unit) } } });
    const { json: moved } = await mcp().call('move_time', { to: '2100-01-01T00:00:00Z' });
    expect(moved).toEqual({ ms: 4_102_444_800_000, date: '2100-01-01T00:00:00.000Z' });
    await mcp().call('seal_blocks');
    const { json: now } = await mcp().call('read_storage', { pallet: 'Timestamp', entry: 'Now' });
    expect(now['value']).toBeGreaterThanOrEqual(4_102_444_800_000);
  });

  it('calls unsafe methods', async () => {
    const { json } = await mcp().call('rpc_call', { method: 'dev_pool' });
    expect(json['result']).toEqual({ ready: [], future: [], banned: [] });
  });
});

describe('tabnode mcp --allow-writes --seal manual', () => {
  const mcp = client('stdio', '--dev', '--allow-writes', '--seal', 'manual');

  it('reports that a transaction is pending, and includes it in the next block', async () => {
    const { json } = await mcp().call('submit_call', { ...transfer, wait_seconds: 0 });
    expect(json).toMatchObject({ status: 'waits', hash: expect.stringMatching(/^0x/) });
    expect((await mcp().call('chain_status')).json).toMatchObject({ pendingTransactions: 1 });
    await mcp().call('seal_blocks');
    const { json: block } = await mcp().call('read_block', { extrinsic: json['hash'] });
    expect(block).toMatchObject({ number: 1, extrinsic: { outcome: { kind: 'ok' } } });
  });
});

describe('tabnode mcp --url', () => {
  const node = serving('--dev', '--seal', 'manual');
  const mcp = client('stdio', '--url', 'ws://127.0.0.1:1', '--json');

  it('returns an error while no node is running', async () => {
    const told = await mcp().call('chain_status');
    expect(told.isError).toBe(true);
    expect(told.json).toMatchObject({ error: { code: 'Disconnected' } });
  });

  it('reads and changes a running node', async () => {
    const { close, call } = await startClient('--url', node().ready.ws, '--allow-writes');
    expect((await call('seal_blocks')).json).toMatchObject({ number: 1 });
    expect((await call('read_storage', account('Bob'))).json).toMatchObject({ block: { number: 1 } });
    await close();
    expect(await callHttp(node().ready.http, 'chain_getHeader')).toMatchObject({ number: '0x1' });
  });
});
