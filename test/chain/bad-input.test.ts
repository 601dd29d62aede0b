import { beforeAll, describe, expect, it } from 'vitest';
import { errorCodes, NodeError } from '../../src/protocol/errors.ts';
import type { ChainSource } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { buildTinyModule } from '../../worker/executor/tiny-module.fixture.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { openWire } from '../clients/wire.ts';
import { createTestPlatform, loadDefaultRuntime, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';

const answer = [0x42, 16, 0x42, 4, 0x42, 32, 0x86, 0x84];
const tiny = (version: boolean): Uint8Array => buildTinyModule({ functions: { good: answer }, version });
const rawSpec = (top: Record<string, string>): ChainSource => ({
  specJson: JSON.stringify({ name: 'Bad', id: 'bad', genesis: { raw: { top } } }),
});
const codeSpec = (code: Uint8Array): ChainSource => rawSpec({ '0x3a636f6465': bytesToHex(code) });

let runtime: Uint8Array;
beforeAll(async () => {
  runtime = await loadDefaultRuntime();
});

/** Starts a node that must fail, and returns the error code. The database must stay empty. */
const failedStart = async (chain: ChainSource): Promise<string> => {
  const db = createMemoryDatabase();
  let released = 0;
  const platform = {
    ...createTestPlatform({ db: { ...db, close: async () => undefined } }),
    lock: async () => () => {
      released++;
    },
  };
  const error: unknown = await createNode(platform, testConfig(chain)).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(NodeError);
  expect(await db.range('meta', {})).toEqual([]);
  expect(await db.range('headers', {})).toEqual([]);
  expect(released).toBe(1);
  const { code, message } = error as NodeError;
  expect(Object.keys(errorCodes)).toContain(code);
  expect(message.length).toBeGreaterThan(10);
  return code;
};

describe('a chain that cannot start', () => {
  it('truncated code, compressed and in a raw specification', async () => {
    for (const cut of [9, 1000, runtime.length >> 1, runtime.length - 5]) {
      const wasm = runtime.slice(0, cut);
      expect(await failedStart({ wasm, preset: 'development' })).toBe('BadCode');
      expect(await failedStart(codeSpec(wasm))).toBe('BadCode');
    }
    const module = tiny(true);
    for (const cut of [4, 9, module.length >> 1])
      expect(await failedStart({ wasm: module.slice(0, cut) })).toBe('BadCode');
  });

  it('code that is not Wasm, or none', async () => {
    expect(await failedStart({ wasm: new Uint8Array(0) })).toBe('BadCode');
    expect(await failedStart({ wasm: new TextEncoder().encode('<!doctype html>') })).toBe('BadCode');
    expect(await failedStart(codeSpec(Uint8Array.of(0x50, 0x56, 0x4d, 0)))).toBe('BadCode');
    expect(await failedStart(rawSpec({ '0x00': '0x00' }))).toBe('BadSpec');
  });

  it('a runtime without the required APIs', async () => {
    expect(await failedStart({ wasm: tiny(true), preset: 'development' })).toBe('MissingApi');
    expect(await failedStart(codeSpec(tiny(false)))).toBe('MissingApi');
  });

  it('malformed specifications, presets and patches', async () => {
    for (const specJson of [
      '',
      '{',
      '[]',
      '{}',
      '{"name":"a","id":"b"}',
      '{"name":"a","id":"b","genesis":{}}',
    ])
      expect(await failedStart({ specJson })).toBe('BadSpec');
    expect(await failedStart(rawSpec({ '0x3a636f6465': '0xzz' }))).toBe('BadSpec');
    expect(await failedStart(rawSpec({ '0x3a6': '0x00' }))).toBe('BadSpec');
    expect(await failedStart({ wasm: runtime, preset: 'no such preset' })).toBe('BadSpec');
    expect(
      await failedStart({ wasm: runtime, preset: 'development', patch: '{"balances":{"balances":7}}' }),
    ).toBe('BadSpec');
    expect(await failedStart({ wasm: runtime, preset: 'development', patch: '{' })).toBe('BadSpec');
  });
});

const seal = (node: Node) => node.parts.author.seal({ createEmpty: true, finalize: false });

describe('a running node', () => {
  it('refuses bad requests with error codes and continues', async () => {
    const node = await createNode(createTestPlatform(), testConfig('development'));
    const port = openPort(node);
    const refused = async (method: string, params: unknown[], code: number) =>
      expect(port.request(method, params)).rejects.toMatchObject({ code });
    for (const text of ['0x', '0x04', '0x0c84', '0xffffffff'])
      await refused('author_submitExtrinsic', [text], 1040);
    // The outer encoding is valid; only the runtime can tell that these do not decode.
    for (const text of ['0x00', '0x0484', '0x0405', '0x0445', '0x0c840000'])
      await refused('author_submitExtrinsic', [text], 1002);
    // The length is correct, but no runtime knows the version. The SDK's node leaves the check to the
    // runtime.
    const own = openWire(node, { dialect: 'psp-6' });
    for (const text of ['0x0400', '0x0483', '0x0444', '0x0485', '0x0c060000']) {
      expect((await own.ask('author_submitExtrinsic', text)).error?.code).toBe(1001);
      await refused('author_submitExtrinsic', [text], 1002);
    }
    expect((await own.ask('author_submitExtrinsic', '0x')).error?.code).toBe(1001);
    own.close();
    expect(await port.request('author_removeExtrinsic', [[{ extrinsic: '0x0400' }]])).toEqual([]);
    await refused('author_submitExtrinsic', ['0xzz'], -32602);
    await refused('state_getStorage', ['0xzz'], -32602);
    await refused('state_getStorage', [1], -32602);
    await refused('chain_getHeader', ['0x12'], -32602);
    await refused('state_call', ['No_such_method', '0x'], 4003);
    await refused('state_call', ['Core_execute_block', '0x00'], 4003);
    await refused('state_getMetadata', [`0x${'ab'.repeat(32)}`], 4003);
    expect(await seal(node)).toMatchObject({ ok: true, number: 1 });
    expect(await port.request('chain_getHeader', [])).toMatchObject({ number: '0x1' });
    expect(await port.request('author_pendingExtrinsics', [])).toEqual([]);
    port.shut();
    await node.close();
  });

  it('with a runtime without block building seals nothing, gives a reason and still serves reads', async () => {
    const node = await createNode(createTestPlatform(), testConfig(codeSpec(tiny(true))));
    const port = openPort(node);
    expect(await seal(node)).toMatchObject({
      ok: false,
      code: expect.stringMatching(/^(RuntimeTrap|MissingApi)$/),
    });
    expect(await port.request('state_getRuntimeVersion', [])).toMatchObject({ specName: 'tiny' });
    await expect(port.request('state_getMetadata', [])).rejects.toMatchObject({ code: 4003 });
    await expect(port.request('author_submitExtrinsic', ['0x1004000000'])).rejects.toHaveProperty('code');
    expect(await port.request('chain_getHeader', [])).toMatchObject({ number: '0x0' });
    port.shut();
    await node.close();
  });

  it('without disk space keeps the old block, reports StorageQuota, and continues when there is space', async () => {
    const disk = createMemoryDatabase();
    let full = false;
    const db: Database = {
      ...disk,
      write: async (batch) => {
        if (full) throw new NodeError('StorageQuota');
        await disk.write(batch);
      },
      close: async () => undefined,
    };
    const platform = createTestPlatform({ db });
    const node = await createNode(platform, testConfig('development', { finality: { kind: 'manual' } }));
    const port = openPort(node);
    await seal(node);
    const before = node.parts.chain.best();
    const content = await disk.range('headers', {});
    full = true;
    expect(await seal(node)).toMatchObject({ ok: false, code: 'StorageQuota' });
    await expect(port.request('engine_createBlock', [true, false])).rejects.toHaveProperty('code');
    await expect(node.parts.chain.finalize(before.hash)).rejects.toMatchObject({ code: 'StorageQuota' });
    expect(node.parts.chain.best()).toEqual(before);
    expect(node.parts.chain.finalized().number).toBe(0);
    expect(await disk.range('headers', {})).toEqual(content);
    expect(await port.request('chain_getHeader', [])).toMatchObject({ number: '0x1' });
    full = false;
    expect(await seal(node)).toMatchObject({ ok: true, number: 2 });
    await node.parts.chain.finalize(node.parts.chain.best().hash);
    port.shut();
    await node.close();
    const again = await createNode(
      createTestPlatform({ db }),
      testConfig('development', { finality: { kind: 'manual' } }),
    );
    expect(again.parts.chain.best().number).toBe(2);
    expect(await seal(again)).toMatchObject({ ok: true, number: 3 });
    await again.close();
  });

  it('without disk space for its genesis can be started once there is space', async () => {
    const disk = createMemoryDatabase();
    const full: Database = {
      ...disk,
      write: async () => {
        throw new NodeError('StorageQuota');
      },
      close: async () => undefined,
    };
    await expect(
      createNode(createTestPlatform({ db: full }), testConfig('development')),
    ).rejects.toMatchObject({ code: 'StorageQuota' });
    const node = await createNode(createTestPlatform({ db: disk }), testConfig('development'));
    expect(await seal(node)).toMatchObject({ ok: true, number: 1 });
    await node.close();
  });
});
