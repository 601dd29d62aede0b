import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiPromise, WsProvider } from '@polkadot/api';
import type { ApiOptions } from '@polkadot/api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toRpcSettings } from '../../../bridge/cli/rpc-settings.ts';
import { startServe } from '../../../bridge/clients/test-process.fixture.ts';
import { createMethodFinder } from '../../node/client/method-info.ts';
import { http, ws } from './copy-parts.ts';
import { copyForms, rpcText } from './copy-texts.ts';

const find = createMethodFinder();
type Asked = readonly [method: string, params: readonly unknown[]];
const write = (id: string, ...calls: readonly Asked[]): string =>
  String(
    copyForms
      .find((form) => form.label.toLowerCase().startsWith(id))
      ?.write(calls.map(([method, params]) => ({ method, params, info: find(method) }))),
  );

/** Characters that need escaping in shells and string literals. */
const quotes = 'it\'s "`$HOME` \\n \n %s $(x) </script>';

describe('copied calls as texts', () => {
  test('each format for a node outside the page begins with how to start one', () => {
    for (const id of ['curl', 'fetch', 'polkadot-js', 'papi'])
      expect(write(id, ['system_chain', []])).toMatch(
        /^(#|\/\/) Start a node first: npm run tabnode -- serve --dev\n\S/,
      );
  });

  test('the addresses are those of `tabnode serve`', () => {
    const { ws: wsDoor, http: httpDoor } = toRpcSettings({}, 'psp-6');
    expect([ws, http]).toEqual([
      `ws://${wsDoor.host}:${wsDoor.port}`,
      `http://${httpDoor.host}:${httpDoor.port}`,
    ]);
  });

  test('JavaScript writes the message as an object; integers beyond 2^53 keep their digits', () => {
    expect(write('fetch', ['chain_getBlockHash', [5]])).toContain(
      'body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "chain_getBlockHash", params: [5] }),',
    );
    const big: Asked = ['dev_fund', ['5F', 2n ** 80n]];
    expect(write('fetch', big)).toContain('\\"params\\":[\\"5F\\",1208925819614629174706176]');
    for (const id of ['polkadot-js', 'papi']) expect(write(id, big)).toContain('"1208925819614629174706176"');
  });

  test('an object of a call is written as a literal, without setting a prototype', () => {
    expect(write('papi', ['my_sum', [1, JSON.parse('{ "__proto__": 2, "a b": { "c": null } }')]])).toContain(
      '[1, { ["__proto__"]: 2, "a b": { c: null } }]',
    );
  });

  test('polkadot-js uses api.rpc if it has the method and takes the arguments, otherwise the provider', () => {
    const call = (...asked: Asked) => write('polkadot-js', asked);
    expect(call('chain_getBlockHash', [5])).toContain('(await api.rpc.chain.getBlockHash(5)).toJSON()');
    expect(call('chain_getBlockHash', [[0, 5]])).toContain('provider.send("chain_getBlockHash", [[0, 5]])');
    expect(call('state_getKeysPaged', ['0x', 2, null, '0x00'])).toContain(
      'provider.send("state_getKeysPaged"',
    );
    expect(call('my_sum', [1])).toContain('provider.send("my_sum", [1])');
    expect(call('my_sum', [1])).not.toContain('ApiPromise');
    expect(call('chain_subscribeNewHeads', [])).toContain('api.rpc.chain.subscribeNewHeads((item) =>');
    expect(call('state_subscribeStorage', [['0x3a']])).toContain(
      'provider.subscribe("state_storage", "state_subscribeStorage", [["0x3a"]]',
    );
    expect(call('state_subscribeStorage', [['0x3a']])).not.toContain('disconnect');
  });

  test('PAPI supports only its own streams', () => {
    expect(write('papi', ['chain_subscribeFinalizedHeads', []])).toContain('finalizedBlock$');
    expect(write('papi', ['state_subscribeStorage', [['0x3a']]])).toBe('null');
  });
});

describe('copied calls as programs, run against `tabnode serve`', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const run = promisify(execFile);
  let node: Awaited<ReturnType<typeof startServe>>;
  beforeAll(async () => {
    node = await startServe('--dev', '--tmp', '--seal', 'manual');
    await ask(['dev_newBlock', [{ count: 5 }]]);
  });
  afterAll(async () => {
    node.kill('SIGTERM');
    await node.ended;
  });

  const ask = async (...calls: readonly Asked[]): Promise<unknown> => {
    const body = rpcText(calls.map(([method, params]) => ({ method, params })));
    const headers = { 'Content-Type': 'application/json' };
    const response = await globalThis.fetch(node.ready.http, { method: 'POST', headers, body });
    return response.json();
  };
  const resultOf = async (...call: Asked): Promise<unknown> =>
    ((await ask(call)) as { result: unknown }).result;
  /** The text with the addresses of this node, which listens on free ports. */
  const here = (text: string, { ready } = node): string => {
    const moved = text.replaceAll(http, ready.http).replaceAll(ws, ready.ws);
    expect(moved).not.toBe(text);
    return moved;
  };
  const shell = async (text: string): Promise<string> => (await run('sh', ['-c', here(text)])).stdout;
  /** The values that a module prints. */
  const script = async (text: string, of = node): Promise<readonly unknown[]> => {
    const print = 'console.log = (value) => process.stdout.write(JSON.stringify(value) + "\\n");\n';
    const args = ['--input-type=module', '-e', print + here(text, of)];
    const { stdout } = await run(process.execPath, args, { cwd: root });
    return stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  };

  const asked: readonly (readonly Asked[])[] = [
    [['chain_getBlockHash', [5]]],
    [['chain_getBlockHash', [[0, 5]]]],
    [['system_properties', []]],
    [['state_getStorageSize', ['0x3a636f6465', null]]],
    [['state_call', [quotes, '0x']]],
    [['dev_restore', [quotes]]],
    [
      ['system_chain', []],
      ['chain_getBlockHash', [0]],
      ['my_sum', [1, 2]],
    ],
  ];

  test.each(asked)('curl and fetch return the node’s own response: %j', async (...calls) => {
    const answer = await ask(...calls);
    expect(JSON.parse(await shell(write('curl', ...calls)))).toEqual(answer);
    expect(await script(write('fetch', ...calls))).toEqual([answer]);
  });

  test('PAPI returns the results and exits, even if a new node responds before it answers the chainHead follow', async () => {
    const begun = await startServe('--dev', '--tmp', '--seal', 'manual');
    try {
      const health = await resultOf('system_health', []);
      expect(await script(write('papi', ['system_health', []]), begun)).toEqual([health]);
    } finally {
      begun.kill('SIGTERM');
      await begun.ended;
    }
    const batch = write('papi', ['system_chain', []], ['chain_getBlockHash', [5]]);
    expect(await script(batch)).toEqual(['Development', await resultOf('chain_getBlockHash', [5])]);
  });

  test('polkadot-js returns the same, through api.rpc and through the provider', async () => {
    const hash = await resultOf('chain_getBlockHash', [5]);
    expect(await script(write('polkadot-js', ['chain_getBlockHash', [5]]))).toEqual([hash]);
    expect(await script(write('polkadot-js', ['dev_pool', []]))).toEqual([await resultOf('dev_pool', [])]);
    const mixed = write('polkadot-js', ['system_chain', []], ['chain_getBlockHash', [[0, 5]]]);
    expect(await script(mixed)).toEqual(['Development', [await resultOf('chain_getBlockHash', [0]), hash]]);
  });

  test('each method that is written as api.rpc exists in polkadot-js', async () => {
    const { methods } = (await resultOf('rpc_methods', [])) as { methods: readonly string[] };
    const found = methods.map((method) => /api\.rpc\.(\w+)\.(\w+)/.exec(write('polkadot-js', [method, []])));
    const names = found.flatMap((match) =>
      match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const],
    );
    const provider = new WsProvider(`${node.ready.ws}/?dialect=polkadot-sdk`);
    const api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
    const rpc = api.rpc as unknown as Record<string, Record<string, unknown>>;
    const missing = names.filter(([section, name]) => typeof rpc[section]?.[name] !== 'function');
    await api.disconnect();
    expect(missing).toEqual([]);
    expect(names.length).toBeGreaterThan(30);
  });
});
