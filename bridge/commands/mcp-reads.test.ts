import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { account, bob, client, notSudo, notSudoOutcome, transfer, unit, type Way } from './mcp.fixture.ts';

const docs = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
const writes = ['submit_call', 'seal_blocks', 'finalize', 'move_time', 'snapshot', 'restore', 'set_storage'];
const refusal = (message: string) => ({ error: { code: 'NotAllowed', message } });

const ways: readonly Way[] = ['stdio', 'HTTP, 2025 revisions', 'HTTP, 2026-07-28'];

describe.each(ways)('tabnode mcp over %s, which only reads', (way) => {
  const mcp = client(way, '--dev');

  it('lists its tools, and marks those that are refused', async () => {
    const { tools } = await mcp().client.listTools();
    const refused = tools.filter(({ description }) => description?.startsWith('Refused here'));
    expect(tools.map(({ name }) => name)).toEqual([
      'chain_status',
      'read_block',
      'list_metadata',
      'describe_call',
      'metadata_hash',
      'read_storage',
      'dry_run_call',
      ...writes,
      'rpc_methods',
      'rpc_call',
    ]);
    expect(refused.map(({ name }) => name)).toEqual(writes);
    for (const { name } of tools) expect(docs).toContain(`\`${name}\``);
    expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);
  });

  it('returns the status of the chain', async () => {
    const { json } = await mcp().call('chain_status');
    expect(json).toMatchObject({
      chain: 'Development',
      best: { number: 0 },
      runtime: { specName: 'tabnode' },
      developmentAccounts: { Bob: bob },
      allowsWrites: false,
    });
  });

  it('hashes the metadata of the runtime', async () => {
    const { json } = await mcp().call('metadata_hash', {});
    expect(json).toEqual({ metadataHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), canBeSigned: false });
  });

  it('reads a decoded balance', async () => {
    const { json } = await mcp().call('read_storage', account('Alice'));
    expect(json).toMatchObject({
      entry: 'System.Account',
      block: { number: 0 },
      value: { nonce: 0, data: { free: '1000000000000000000' } },
    });
  });

  it('reads a map page by page', async () => {
    const map = { pallet: 'system', entry: 'account', limit: 4 };
    const all: unknown[] = [];
    let cursor: unknown;
    do {
      const { json } = await mcp().call('read_storage', {
        ...map,
        ...(cursor === undefined ? {} : { cursor }),
      });
      all.push(...(json['entries'] as { readonly keys: unknown }[]).map(({ keys }) => keys));
      cursor = json['more'];
    } while (cursor !== undefined);
    expect(all.length).toBeGreaterThan(4);
    expect(new Set(all.map(String)).size).toBe(all.length);
    expect(all).toContainEqual([bob]);
  });

  it.each([
    ['submit_call', transfer],
    ['seal_blocks', {}],
    ['finalize', {}],
    ['move_time', { to: 0 }],
    ['snapshot', { name: 'one' }],
    ['restore', { name: 'one' }],
    ['set_storage', { values: {} }],
  ])('refuses %s and names the flag that allows it', async (name, args) => {
    const told = await mcp().call(name, args);
    expect(told.isError).toBe(true);
    expect(told.json).toEqual(refusal(`${name} is refused: this server was started without --allow-writes`));
  });

  it.each([
    ['dev_newBlock', []],
    ['author_submitExtrinsic', ['0x00']],
    ['transaction_v1_broadcast', ['0x00']],
    ['state_getKeysPaged', { prefix: '0x', count: 1 }],
    ['not_ofTheTable', []],
  ])('refuses %s when called through rpc_call', async (method, params) => {
    const told = await mcp().call('rpc_call', { method, params });
    expect(told.isError).toBe(true);
    expect(told.text).toContain('NotAllowed');
    expect(told.text).toContain('--allow-writes');
  });

  it('explains a failing call without changing anything', async () => {
    const { json } = await mcp().call('dry_run_call', {
      pallet: 'Balances',
      call: 'transfer_keep_alive',
      args: { dest: bob, value: '999999999999999999' },
    });
    const { docs } = (json['outcome'] as { readonly error: { readonly docs: string } }).error;
    expect(json).toMatchObject({ outcome: { kind: 'failed', error: { pallet: null } } });
    expect(docs.length).toBeGreaterThan(10);
    expect((await mcp().call('chain_status')).json).toMatchObject({ best: { number: 0 } });
  });

  it("explains a pallet's own error by its name and docs", async () => {
    const { json } = await mcp().call('dry_run_call', { ...notSudo, from: 'Bob' });
    expect(json).toMatchObject({ call: 'Sudo.sudo', outcome: notSudoOutcome });
  });

  it('explains a failing call inside another call, with names of accounts in it', async () => {
    const inner = { Balances: { force_set_balance: { who: 'Bob', new_free: unit } } };
    const batch = { pallet: 'Utility', call: 'batch', args: { calls: [inner] } };
    const { json } = await mcp().call('dry_run_call', batch);
    expect(json['outcome']).toEqual({
      kind: 'ok',
      innerFailures: ['Utility.BatchInterrupted: BadOrigin'],
    });
  });

  it('reports what a call would change', async () => {
    const { json } = await mcp().call('dry_run_call', transfer);
    const { items } = json['changes'] as { readonly items: readonly unknown[] };
    expect(json).toMatchObject({ outcome: { kind: 'ok' }, payment: { class: 'normal' } });
    expect(items).toContainEqual(
      expect.objectContaining({
        entry: 'System.Account',
        keys: [bob],
        after: {
          value: expect.objectContaining({ data: expect.objectContaining({ free: '1000001000000000000' }) }),
        },
      }),
    );
  });

  it('finds calls by words and describes one', async () => {
    const found = await mcp().call('list_metadata', {
      kind: 'calls',
      pallet: 'Balances',
      search: 'keep alive',
    });
    expect(found.text).toContain('Balances.transfer_keep_alive');
    const { json } = await mcp().call('describe_call', { pallet: 'Balances', call: transfer.call });
    expect(json).toMatchObject({
      args: [
        { name: 'dest', form: 'an address, or a name such as Alice' },
        { name: 'value', type: 'Compact<u128>', form: 'u128' },
      ],
      example: { dest: 'Alice', value: 0 },
    });
  });

  it('lists page by page', async () => {
    const list = { kind: 'pallets', limit: 12 };
    const first = await mcp().call('list_metadata', list);
    const second = await mcp().call('list_metadata', { ...list, cursor: first.json['more'] });
    const pages = [first, second].map(({ json }) => json['items'] as readonly { readonly name: string }[]);
    const names = pages.flat().map(({ name }) => name);
    expect(pages[0]).toHaveLength(12);
    expect(second.json['more']).toBeUndefined();
    expect(new Set(names).size).toBe(first.json['total']);
    expect(names).toContain('Balances');
  });

  it.each([
    ['read_storage', { pallet: 'Nothing', entry: 'Number' }, 'Unsupported', 'there are System'],
    ['read_storage', { pallet: 'System', entry: 'Number', at: 99 }, 'UnknownBlock', '99'],
    ['read_storage', { pallet: 'System', entry: 'Account', cursor: 'x' }, 'BadValue', '"more"'],
    ['dry_run_call', { ...transfer, args: { dest: 'Bob', value: 'much' } }, 'BadValue', 'value'],
    ['dry_run_call', { ...transfer, args: { dest: 'Nobody', value: 1 } }, 'BadValue', 'Nobody'],
    ['read_storage', { pallet: 'System' }, 'BadValue', 'entry: a text was expected, not nothing'],
    ['read_storage', { pallet: 'System', entry: 'Account', key: [] }, 'BadValue', 'no argument "key"'],
    ['list_metadata', { kind: 'call' }, 'BadValue', 'kind: one of pallets, calls'],
    ['list_metadata', { kind: 'calls', limit: 1000 }, 'BadValue', 'limit: an integer from 1 to 200'],
    ['rpc_call', { method: 'chain_subscribeNewHeads' }, 'Unsupported', 'subscription'],
    ['rpc_call', { method: 'chain_getHeader', params: { block: 1 } }, 'BadValue', '{ hash? }'],
    ['rpc_call', { method: 'chain_getHeader', params: ['0x12'] }, '-32602', 'Invalid params'],
  ])('refuses invalid arguments of %s with a code', async (name, args, code, word) => {
    const told = await mcp().call(name, args);
    expect(told.isError).toBe(true);
    expect(String((told.json['error'] as { readonly code: unknown }).code)).toBe(code);
    expect(told.text.replaceAll('\\"', '"')).toContain(word);
  });

  it('calls safe methods, and returns long results in parts', async () => {
    const hash = await mcp().call('rpc_call', { method: 'chain_getBlockHash', params: { hash: 0 } });
    expect(hash.json['result']).toMatch(/^0x[0-9a-f]{64}$/);
    const first = await mcp().call('rpc_call', { method: 'state_getMetadata' });
    expect(first.json).toMatchObject({ more: 20_000 });
    expect(first.text.length).toBeLessThan(21_000);
    const last = (first.json['characters'] as number) - 5;
    const end = await mcp().call('rpc_call', { method: 'state_getMetadata', offset: last });
    expect(end.json['more']).toBeUndefined();
    expect(end.json['text']).toHaveLength(5);
  });

  it("offers the table's docs as a tool and as resources", async () => {
    const { json } = await mcp().call('rpc_methods', { search: 'broadcast submits' });
    expect(json).toMatchObject({ items: [{ method: 'transaction_v1_broadcast', needsPermission: true }] });
    const { contents } = await mcp().client.readResource({ uri: 'tabnode://rpc/chain_getHeader' });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('Header of a block') });
  });
});
