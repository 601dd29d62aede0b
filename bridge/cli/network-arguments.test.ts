import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNodeKey } from '../network/node-key.ts';
import { parseServeArguments } from './arguments.ts';

const id = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';
const peer = `/ip4/127.0.0.1/tcp/30333/ws/p2p/${id}`;

test('without one of its flags there is no network, and Alice seals', () => {
  const { network, keys, seal } = parseServeArguments(['--node-key', '11'.repeat(32), '--in-peers', '5']);
  expect(network).toMatchObject({ network: null, nodeKey: { secret: `0x${'11'.repeat(32)}` } });
  expect([keys, seal]).toEqual([['//Alice'], { kind: 'interval', ms: 2000 }]);
  expect(network?.unused).toEqual(['in-peers']);
  expect(parseServeArguments(['--in-peers', '5', '--network']).network?.unused).toEqual([]);
});

test.each([
  [['--network'], {}],
  [['--listen-addr', '/ip4/127.0.0.1/tcp/0/ws'], {}],
  [['--port', '0'], {}],
  [['--bootnodes', peer], { bootNodes: [peer] }],
  [['--bootnodes', `${peer} ${peer}`], { bootNodes: [peer, peer] }],
  [['--reserved-nodes', peer, '--reserved-only'], { reservedNodes: [peer], reservedOnly: true }],
])('%j switches it on: no key unless one is named', (args, config) => {
  const given = parseServeArguments(args);
  expect(given.network?.network).toEqual(config);
  expect([given.keys, given.seal]).toEqual([[], { kind: 'manual' }]);
  const named = parseServeArguments([...args, '--bob']);
  expect([named.keys, named.seal]).toEqual([['//Bob'], { kind: 'slots' }]);
  expect(parseServeArguments([...args, '--seal', 'interval:5']).seal).toEqual({ kind: 'interval', ms: 5 });
});

test('addresses to listen on', () => {
  const listen = (...args: string[]) => parseServeArguments(args).network?.listen;
  const given = ['/ip4/1.2.3.4/tcp/5/ws', '/ip6/::1/tcp/0'].flatMap((one) => ['--listen-addr', one]);
  expect(listen(...given)).toEqual([
    { kind: 'ws', host: '1.2.3.4', port: 5 },
    { kind: 'tcp', host: '::1', port: 0 },
  ]);
  expect(listen('--port', '30333')).toEqual([{ kind: 'ws', host: '0.0.0.0', port: 30_333 }]);
  expect(listen('--port', '30333', '--validator')).toEqual([{ kind: 'tcp', host: '0.0.0.0', port: 30_333 }]);
});

test.each([
  [['--dev', '--bootnodes', peer], '--dev and --bootnodes cannot be combined'],
  [['--bootnodes', '/ip4/1.2.3.4/tcp/1'], '--bootnodes /ip4/1.2.3.4/tcp/1: Not an address'],
  [['--listen-addr', '/dns/a/tcp/1'], 'expected /ip4/'],
  [['--listen-addr', '/ip4/1.2.3.4/tcp/1/wss'], 'expected /ip4/'],
  [['--listen-addr', '/ip4/1.2.3.4/udp/1'], 'expected /ip4/'],
  [['--listen-addr', '/ip4/1.2.3.4/tcp/70000'], 'expected /ip4/'],
  [['--port', '1', '--listen-addr', '/ip4/1.2.3.4/tcp/1'], 'cannot be combined'],
  [['--port', 'x'], '--port x'],
  [['--port', '70000'], '--port 70000: expected a number'],
  [['--public-addr', 'here', '--network'], '--public-addr here: Not an address'],
  [['--node-key', '11'], '32 bytes as hex'],
  [['--node-key', '11'.repeat(32), '--node-key-file', 'x'], 'cannot be combined'],
  [['--in-peers', '-1'], '--in-peers'],
  [['--max-parallel-downloads', '0'], '1 or more'],
])('%j is refused', (args, text) => {
  expect(() => parseServeArguments(args)).toThrow(
    expect.objectContaining({ code: 'BadConfig', message: expect.stringContaining(text) }),
  );
});

test('the key of a node is hex or 32 bytes, in a named file or beside the chain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-node-key-'));
  const file = (name: string, data: string | Uint8Array): { file: string } => {
    writeFileSync(join(folder, name), data);
    return { file: join(folder, name) };
  };
  const memory = { kind: 'memory' } as const;
  const hex = `0x${'ab'.repeat(32)}`;
  expect(await readNodeKey({ secret: hex }, memory)).toBe(hex);
  expect(await readNodeKey(file('hex', `${'AB'.repeat(32)}\n`), memory)).toBe(hex);
  expect(await readNodeKey(file('bytes', new Uint8Array(32).fill(0xab)), memory)).toBe(hex);
  expect(await readNodeKey(null, memory)).toBeNull();
  const stored = { kind: 'sqlite', path: join(folder, 'tabnode.sqlite') } as const;
  expect(await readNodeKey(null, stored)).toBeNull();
  await expect(readNodeKey(file('short', 'abcd'), memory)).rejects.toMatchObject({ code: 'BadKey' });
  await expect(readNodeKey({ file: join(folder, 'absent') }, memory)).rejects.toMatchObject({
    code: 'BadConfig',
  });
});
