import { expect } from 'vitest';
import * as z from 'zod/mini';
import type { Connection } from '../../src/connection.ts';
import { type Case, errorOf, fieldOf, parse, result, specification, watch } from './case.ts';
import { errors, ranges } from './error-cases.ts';
import { aliceKey, calls, type Facts, streams } from './method-cases.ts';
import * as psp from './schemas.ts';
import { specials } from './special-cases.ts';
import { statuses } from './status-cases.ts';
import { specificationFields, structures, types } from './type-cases.ts';
import { createInbox, sealBlock, signTransfer } from './world.ts';

const factsOf = async (connection: Connection): Promise<Facts> => ({
  genesis: (await connection.request('chain_getBlockHash', [0])) as string,
  best: (await connection.request('chain_getBlockHash', [])) as string,
  // For an account without transactions in the pool, the next nonce is the state's.
  extrinsic: await signTransfer(connection, { from: '//Charlie' }),
});

const methodCase =
  (method: string): Case =>
  async (world) => {
    const connection = await world.connect('open');
    await sealBlock(connection);
    const facts = await factsOf(connection);
    for (const [params, result] of calls[method]?.(facts) ?? [])
      parse(result, await connection.request(method, params));
    await specials[method]?.(connection, facts, world);
  };

const streamCase =
  (event: string): Case =>
  async (world) => {
    const stream = streams[event] as NonNullable<(typeof streams)[string]>;
    const connection = await world.connect('open');
    const inbox = createInbox();
    const id = await connection.subscribe(stream.method, stream.params ?? [], inbox.put);
    await stream.speak(connection);
    parse(stream.payload, await inbox.next());
    expect(await connection.unsubscribe(stream.unsubscribe, id)).toBe(true);
    expect(await connection.unsubscribe(stream.unsubscribe, id)).toBe(false);
    expect(await connection.request(stream.unsubscribe, [7])).toBe(false);
    if (world.http !== null)
      expect(await world.http('open', stream.method, stream.params ?? [])).toMatchObject({
        error: { code: -32603 },
      });
  };

const unsafeCase =
  (method: string): Case =>
  async (world) => {
    const connection = await world.connect('denied');
    const facts = { best: `0x${'00'.repeat(32)}`, genesis: `0x${'00'.repeat(32)}`, extrinsic: '0x00' };
    const params = calls[method]?.(facts)[0]?.[0] ?? unsafeParams[method] ?? [];
    expect(await errorOf(connection, method, params)).toMatchObject({
      code: -32601,
      message: 'RPC call is unsafe to be called externally',
    });
    const { methods } = (await connection.request('rpc_methods', [])) as { methods: string[] };
    expect(methods).toContain(method);
  };
const unsafeParams: Readonly<Record<string, readonly unknown[]>> = {
  system_addReservedPeer: ['/ip4/127.0.0.1'],
  system_removeReservedPeer: ['a'],
  author_submitExtrinsic: ['0x00'],
  author_removeExtrinsic: [[`0x${'00'.repeat(32)}`]],
  author_insertKey: ['babe', '//Alice', aliceKey],
};

const lifecycle: Readonly<Record<string, Case>> = {
  subscribe: streamCase('chain_newHead'),
  'unsubscribe-known': streamCase('chain_allHead'),
  'unsubscribe-unknown': async (world) => {
    for (const id of ['none', 1, null, {}])
      expect(await result(world, 'chain_unsubscribeNewHeads', [id])).toBe(false);
  },
};

const transports: Readonly<Record<string, Case>> = {
  HTTP: async (world) => {
    expect(await world.http?.('open', 'system_name', [])).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: 'Tabnode',
    });
  },
  WebSocket: async (world) => expect(await result(world, 'system_name')).toBe('Tabnode'),
};

const submitCase: Case = async (world) => {
  const connection = await world.connect('open');
  const watched = await watch(connection, await signTransfer(connection));
  expect(await watched.next()).toBe('ready');
  expect(await connection.unsubscribe('author_unwatchExtrinsic', watched.id)).toBe(true);
  expect(await connection.unsubscribe('author_unwatchExtrinsic', watched.id)).toBe(false);
  await sealBlock(connection);
};

const eventOf = (method: string): string | undefined =>
  Object.entries(streams).find(([, one]) => one.method === method || one.unsubscribe === method)?.[0];

const anyMethod = (method: string): Case | undefined => {
  if (method === 'author_submitAndWatchExtrinsic' || method === 'author_unwatchExtrinsic') return submitCase;
  const event = eventOf(method);
  if (event !== undefined) return streamCase(event);
  return method in calls || method in specials ? methodCase(method) : undefined;
};

const headerCase =
  (field: string): Case =>
  async (world) => {
    const header = await result(world, 'chain_getHeader');
    const schemas: Readonly<Record<string, z.ZodMiniType>> = {
      ...psp.header.shape,
      'digest.logs': z.array(psp.hex),
    };
    parse(schemas[field] as z.ZodMiniType, fieldOf(header, field));
  };

/** The test of a row; undefined if there is none. */
export const caseOf = (id: string): Case | undefined => {
  const slash = id.indexOf('/');
  const [section, name] = [id.slice(0, slash), id.slice(slash + 1)];
  if (section === '1') return transports[name];
  if (section === '2.1') return types[name];
  if (section === '2.2 header') return headerCase(name);
  if (section === '2.2 structures') return structures[name];
  if (section === '2.2 specification') {
    const schema = specificationFields[name];
    return schema && (async (world) => parse(schema, fieldOf(await specification(world), name)));
  }
  if (section === '3.1') return statuses[name];
  if (section === '3.2') return lifecycle[name];
  if (section === '4.12 unsafe') return unsafeCase(name);
  if (section === '6') return name === 'author_extrinsicUpdate' ? submitCase : streamCase(name);
  if (section === '7 ranges') return ranges[name];
  if (section === '7 errors') return errors[name];
  return anyMethod(name);
};
