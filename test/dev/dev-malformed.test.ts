import { afterEach, beforeEach, expect, it } from 'vitest';
import { JsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';
import { docOf } from '../../src/protocol/rpc/docs/docs.ts';
import { rpcTable } from '../../src/protocol/rpc/index.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';

let node: Node;
let port: ReturnType<typeof openPort>;
beforeEach(async () => {
  node = await createNode(createTestPlatform(), testConfig('development', { offchainWorkers: 'never' }));
  port = openPort(node);
  await port.request('dev_newBlock', []);
});
afterEach(async () => {
  port.shut();
  await node.close();
});

/** `state_call` and `system_dryRun` answer in the words of the SDK, which include the runtime's panic. */
const methods = Object.entries(rpcTable).filter(
  ([name, { kind }]) => kind === 'call' && /^(dev|engine)_/.test(name),
);

const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
/** `System.remark` with two bytes, and as a bare extrinsic. */
const remark = '0x0000080102';
const bare = `0x1804${remark.slice(2)}`;
/** Forms of parameters that the examples of the table do not show. */
const more: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  dev_newBlock: [[{ transactions: [bare] }], [{ to: 3, report: true }]],
  dev_dryRun: [[{ extrinsic: bare }], [{ extrinsic: { call: remark, address: bob }, raw: true }]],
  dev_setStorage: [
    [{ System: { Number: '0x05000000', Account: [[[bob], { nonce: 1 }]], $removePrefix: ['Digest'] } }],
    [{ Balances: { TotalIssuance: '0x01000000000000000000000000000000' } }],
    [[['0x0102', '0x03']]],
  ],
  dev_fork: [[{ rebase: 5 }], [{ rebase: `0x${'ab'.repeat(32)}` }]],
  engine_createBlock: [[true, true, `0x${'ab'.repeat(32)}`]],
};

const unknownHash = `0x${'ab'.repeat(32)}`;
const wrong: readonly unknown[] = [
  ...[true, 0, -1, 1.5, 2 ** 32, 2 ** 53, 1e300],
  ...['', 'x', '0x', '0x1', '0xzz', '0x00', '0x0000', '0x0400', `0x${'ff'.repeat(40)}`, unknownHash],
  ...['0xc50184', '0x1004000001', '\u0000', '\ud800'],
  ...[[], {}, [[]], [null], [['0x']], [['0x', '0x', '0x']], [unknownHash], { kind: 'x' }, { a: { b: [1] } }],
];

/** The value with each part in turn replaced by something else, and each text cut short. */
const broken = function* (value: unknown): Generator<unknown> {
  yield* wrong;
  if (typeof value === 'string') {
    yield value.slice(0, -1);
    yield value.slice(0, -2);
    yield `${value}00`;
  } else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      for (const other of broken(part))
        yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
};

/** What only a fault of the node, of the engine or of the runtime would say. */
const internal =
  /panick|unreachable|RuntimeError|undefined|is not a function|Cannot read|\.[jt]s:\d|\bwasm-/i;

const faultOf = async (method: string, params: readonly unknown[]): Promise<string | null> => {
  try {
    await port.request(method, params);
    return null;
  } catch (error) {
    if (!(error instanceof JsonRpcError)) throw error;
    const text = `${error.message} ${JSON.stringify(error.data ?? '')}`;
    return error.code === -32603 || internal.test(text) ? `${error.code} ${text}`.slice(0, 300) : null;
  }
};

it.each(methods)(
  '%s refuses what it cannot read in its own words',
  async (method, entry) => {
    const args: Readonly<Record<string, unknown>> = docOf(method).example ?? {};
    const names = Object.keys(entry.params);
    const forms = [names.map((name) => args[name] ?? null), ...(more[method] ?? [])];
    const faults: string[] = [];
    for (const given of forms)
      for (const [at, value] of given.entries())
        for (const other of broken(value)) {
          const fault = await faultOf(method, [...given.slice(0, at), other, ...given.slice(at + 1)]);
          if (fault !== null) faults.push(`${names[at]} ${JSON.stringify(other)?.slice(0, 100)}: ${fault}`);
        }
    expect(faults).toEqual([]);
  },
  120_000,
);
