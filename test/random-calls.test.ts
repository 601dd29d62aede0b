import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseJson, writeJson } from '../src/protocol/json.ts';
import type { Dialect } from '../src/protocol/node.ts';
import type { PortNote } from '../src/protocol/port.ts';
import type { Entry } from '../src/protocol/rpc/define.ts';
import { rpcTable } from '../src/protocol/rpc/index.ts';
import { resultOf } from '../src/protocol/rpc/results/results.ts';
import { createNode, type Node } from '../worker/node.ts';
import type { Connection } from '../worker/rpc/connection.ts';
import { createRpcServer, type RpcServer } from '../worker/rpc/server.ts';
import { createTestPlatform, testConfig } from './platform.ts';

/**
 * Random calls of every method of the table, in both dialects. Each response must match the declared schema
 * or be a documented error, and no subscription may be left open.
 */
type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};

const entries = Object.entries<Entry>(rpcTable);
const runs = 25;

/** Error numbers of the envelope; those of a namespace are added. */
const envelope = new Set([-32600, -32601, -32602, -32603, -32000, -32006, -32008, -32009]);
const bases: Readonly<Record<string, number>> = {
  archive: 3000,
  author: 1000,
  system: 2000,
  chain: 3000,
  state: 4000,
  childstate: 4000,
  offchain: 5000,
  dev: 6000,
  babe: 9000,
  mmr: 8000,
};
/**
 * Namespaces whose numbers have no base; the `dev` methods named after chopsticks return 1 for every error.
 */
const smallCodes = new Set(['grandpa', 'payment', 'system', 'sync', 'contracts', 'dev']);
const isDocumented = (method: string, code: number): boolean => {
  const namespace = method.slice(0, method.indexOf('_'));
  const base = bases[namespace] ?? Number.NaN;
  if (namespace === 'bitswap' && code === -32810) return true;
  if (namespace === 'chainHead' && code <= -32800 && code >= -32804) return true;
  if (envelope.has(code) || (code >= base && code < base + 1000)) return true;
  if (namespace === 'engine') return code >= 10_000 && code <= 20_000;
  return code >= 1 && code <= 4 && smallCodes.has(namespace);
};

const listening = { chain: 0, pool: 0 };
const count = <K extends keyof typeof listening>(name: K, stop: () => void): (() => void) => {
  listening[name] += 1;
  let isOver = false;
  return () => {
    if (!isOver) listening[name] -= 1;
    isOver = true;
    stop();
  };
};

let node: Node;
let server: RpcServer;
let plausible: readonly string[] = [];
beforeAll(async () => {
  const platform = createTestPlatform();
  node = await createNode(platform, testConfig('development'));
  const { chain, pool } = node.parts;
  server = createRpcServer(
    {
      ...node.parts,
      chain: { ...chain, onEvent: (listener) => count('chain', chain.onEvent(listener)) },
      pool: { ...pool, watch: (hash, watcher) => count('pool', pool.watch(hash, watcher)) },
    },
    { loadOpenRpc: platform.loadOpenRpc },
  );
  plausible = [
    chain.genesisHash,
    chain.best().hash,
    '0x3a636f6465',
    '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  ].map((text) => JSON.stringify(text));
});
afterAll(async () => {
  await node.parts.sealing.setMode({ kind: 'manual' });
  server.close();
  await node.close();
});

const isResponse = (method: string, entry: Entry, answer: Answer): boolean => {
  if (answer.error !== undefined)
    return isDocumented(method, answer.error.code) && typeof answer.error.message === 'string';
  if (entry.kind === 'subscription') return typeof answer.result === 'string';
  const { result } = answer;
  const { schema } = resultOf(method);
  if (schema.safeParse(result).success) return true;
  // A U128 is a bigint in the table and any integer on the wire.
  return Number.isInteger(result) && schema.safeParse(BigInt(result as number)).success;
};

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const odd = [
  '0x',
  '0xabc',
  '',
  '0xzz',
  'x',
  '\u0000',
  'PERSISTENT',
  'LOCAL',
  'babe',
  'Core_version',
  'manual',
  '0x00',
  '0x280402000b',
];
const numbers = [
  '0',
  '1',
  '-1',
  '1.5',
  '4294967295',
  '4294967296',
  '18446744073709551615',
  '18446744073709551616',
  '1e400',
  `${2n ** 130n}`,
];
const value = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...plausible),
    fc.constantFrom(...plausible.map((text) => `[${text}]`)),
    fc.constantFrom(...odd.map((text) => JSON.stringify(text)), ...numbers),
    fc.constantFrom('null', 'true', '[]', '{}', deep(3000), '[0,255]', '[256]', '{"kind":"interval","ms":0}'),
    fc.jsonValue().map((json) => JSON.stringify(json)),
  );

/** Texts of `params`: too few, too many, by name, with a duplicate name, or none at all. */
const params = (entry: Entry): fc.Arbitrary<string> => {
  const names = Object.keys(entry.params);
  const list = fc.array(value(), { maxLength: names.length + 2 }).map((items) => `[${items.join(',')}]`);
  const pair = (name: string) => value().map((text) => `${JSON.stringify(name)}:${text}`);
  const named = fc
    .tuple(...names.map(pair))
    .map((pairs) => `{${[...pairs, pairs[0]].filter(Boolean).join(',')}}`);
  return fc.oneof({ weight: 6, arbitrary: list }, { weight: 2, arbitrary: named }, value());
};

const open = (dialect: Dialect, denyUnsafe = false): Connection =>
  server.connect(() => undefined, { dialect, denyUnsafe, transport: 'ws' });

describe.each(['psp-6', 'polkadot-sdk'] as const)('random calls under %s', (dialect) => {
  it.each(entries)('%s', { timeout: 60_000 }, async (method, entry) => {
    const connection = open(dialect);
    onTestFinished(connection.close);
    await fc.assert(
      fc.asyncProperty(params(entry), async (given) => {
        const request = `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${given}}`;
        const text = await connection.handle(request);
        const answer = parseJson(text ?? 'null') as Answer & { id: unknown };
        if (answer.id !== 7) return answer.error?.code === -32700;
        if (isResponse(method, entry, answer)) return true;
        throw new Error(`${writeJson(answer).slice(0, 500)}`);
      }),
      { numRuns: runs },
    );
    connection.close();
    expect(listening).toEqual({ chain: 0, pool: 0 });
    if (method === 'dev_setSealMode') await node.parts.sealing.setMode({ kind: 'manual' });
  });

  it('leaves nothing behind when a port closes during calls', async () => {
    for (let round = 0; round < 10; round++) {
      const { port1, port2 } = new MessageChannel();
      server.connectPort(port1 as unknown as MessagePort, { dialect, denyUnsafe: false });
      for (const [method, entry] of entries)
        if (entry.kind === 'subscription')
          port2.postMessage(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`);
      port2.postMessage('{"jsonrpc":"2.0","id":1,"method":"state_getPairs","params":["0x"]}');
      if (round % 2 === 0) port2.postMessage({ note: 'bye' } satisfies PortNote);
      port2.close();
    }
    await expect.poll(() => listening).toEqual({ chain: 0, pool: 0 });
  });

  it('handles a batch of 10,000 entries one by one', async () => {
    const connection = open(dialect, true);
    const one = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"author_rotateKeys"}`;
    const batch = `[${Array.from({ length: 10_000 }, (_, id) => one(id)).join(',')}]`;
    const answers = parseJson((await connection.handle(batch)) ?? '') as readonly Answer[];
    expect(answers.length).toBe(10_000);
    expect(answers.every(({ error }) => error?.code === -32601)).toBe(true);
    connection.close();
  });
});
