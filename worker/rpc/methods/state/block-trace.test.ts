import { describe, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../../../test/rigs/platform.ts';
import { createNode } from '../../../node.ts';
import { createRpcServer } from '../../server.ts';
import { createTraceFilter } from './block-trace.ts';

type Event = { target: string; data: { stringValues: Record<string, string> }; parentId: number | null };
type Trace = {
  blockTrace: {
    blockHash: string;
    parentHash: string;
    tracingTargets: string;
    spans: { name: string; target: string }[];
    events: Event[];
  };
};
type Answer<T> = { result: T; error?: { code: number; message: string; data?: string } };

const open = async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  await node.parts.author.seal({ createEmpty: true, finalize: false });
  const server = createRpcServer(node.parts);
  const ask = async <T>(method: string, params: unknown[], maxResponseBytes = 1e9): Promise<Answer<T>> => {
    const connection = server.connect(() => undefined, {
      dialect: 'polkadot-sdk',
      denyUnsafe: false,
      transport: 'port',
      limits: { maxResponseBytes },
    });
    const text = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    connection.close();
    return JSON.parse(text ?? 'null') as Answer<T>;
  };
  return { node, ask, hash: node.parts.chain.best().hash };
};
const eventsOf = (answer: Answer<Trace>): Record<string, string>[] =>
  answer.result.blockTrace.events.map((event) => event.data.stringValues);

describe('state_traceBlock', () => {
  it('reports what a block wrote: the last writes match its state', async () => {
    const { node, ask, hash } = await open();
    const trace = await ask<Trace>('state_traceBlock', [hash, 'state', '', 'Put,Append']);
    const last = new Map(eventsOf(trace).map((event) => [event['key'] as string, event]));
    const puts = [...last.values()].filter((event) => event['method'] === 'Put');
    expect(puts.length).toBeGreaterThan(5);
    for (const { key, value, value_encoded } of puts) {
      const { result } = await ask<string | null>('state_getStorage', [`0x${key}`, hash]);
      expect(value).toBe(result === null ? 'None' : `Some(${result.slice(2)})`);
      expect(value_encoded).toBe(result === null ? '00' : `01${result.slice(2)}`);
    }
    expect([...last.values()].some((event) => event['method'] === 'Append')).toBe(true);
    expect(new Set(eventsOf(trace).map((event) => event['ext_id'])).size).toBe(1);
    const { result: header } = await ask<{ parentHash: string }>('chain_getHeader', [hash]);
    expect(trace.result.blockTrace).toMatchObject({
      blockHash: hash.slice(2),
      parentHash: header.parentHash.slice(2),
      tracingTargets: 'state',
      spans: [],
    });
    await node.close();
  });

  it('reports what a block read, for the requested keys and methods', async () => {
    const { node, ask, hash } = await open();
    const timestamp = 'f0c365c3cf59d671eb72da0e7a4113c4';
    const reads = eventsOf(await ask('state_traceBlock', [hash, null, timestamp, 'Get,Exists']));
    expect(reads.length).toBeGreaterThan(0);
    for (const read of reads) {
      expect(read['key']?.startsWith(timestamp)).toBe(true);
      expect(['Get', 'Exists']).toContain(read['method']);
    }
    const first = reads.find((read) => read['method'] === 'Get');
    const { result } = await ask<string | null>('state_getStorage', [
      `0x${first?.['key']}`,
      node.parts.chain.genesisHash,
    ]);
    expect(first?.['result']).toBe(result === null ? 'None' : `Some(${result.slice(2)})`);
    for (const params of [
      [hash],
      [hash, 'state', timestamp],
      [hash, 'pallet', timestamp, 'Get'],
      [hash, 'state=debug', timestamp, 'Get'],
      [hash, 'state', `${timestamp}=info`, 'Get'],
    ])
      expect(eventsOf(await ask('state_traceBlock', params))).toEqual([]);
    const whole = await ask<Trace>('state_traceBlock', [hash, 'block', '', '']);
    expect(whole.result.blockTrace.spans).toEqual([
      { id: 1, parentId: null, name: 'trace_block', target: 'block_trace', wasm: false },
    ]);
    await node.close();
  });

  it('returns the documented errors and stops at the maximum response size', async () => {
    const { node, ask, hash } = await open();
    const unknown = `0x${'11'.repeat(32)}`;
    expect((await ask('state_traceBlock', [unknown])).error).toEqual({
      code: 4001,
      message: `Cannot resolve a block range ['"${unknown}"' ... '"None"]. Missing block component: Header not found`,
    });
    const tooBig = await ask('state_traceBlock', [hash, 'state', '', ''], 5000);
    expect(tooBig.error?.code).toBe(-32008);
    await node.close();
  });
});

it('parses targets and levels like the SDK', () => {
  const filter = createTraceFilter('pallet=warn,frame=3,state=what');
  expect(filter('pallet_balances', 'error')).toBe(true);
  expect(filter('pallet_balances', 'info')).toBe(false);
  expect(filter('frame', 'info')).toBe(true);
  expect(filter('frame', 'debug')).toBe(false);
  expect(filter('state', 'trace')).toBe(true);
  expect(filter('other', 'error')).toBe(false);
  expect(createTraceFilter('')('anything', 'trace')).toBe(true);
});
