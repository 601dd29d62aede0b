import { describe, expect, it } from 'vitest';
import { startNodeThread } from '../../bridge/thread/node-thread.ts';
import { createConnection } from '../../src/connection.ts';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { encodeSignedBlock } from '../../worker/codec/signed-block.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { buildEndlessCalls, endlessCalls } from '../../worker/executor/endless-calls.fixture.ts';
import { buildTinyModule, tinyTypes } from '../../worker/executor/tiny-module.fixture.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';

// Wasm instructions as bytes: `answer` returns the four bytes 1, 2, 3, 4 of the data segment.
const answer = [0x42, 16, 0x42, 4, 0x42, 32, 0x86, 0x84];
const endless = [0x03, 0x40, 0x0c, 0, 0x0b, 0x00];
const recursion = [0x20, 0, 0x20, 1, 0x10, 1, 0x42, 1, 0x7c];
/** malloc(1 MiB) forever, and memory.grow(256 pages) forever. */
const hoard = [0x03, 0x40, 0x41, 0x80, 0x80, 0xc0, 0x00, 0x10, 0, 0x1a, 0x0c, 0, 0x0b, 0x00];
/** Neither building nor executing a block ever ends. */
const blocks = { Core_initialize_block: endless, Core_execute_block: endless };
const swell = [0x03, 0x40, 0x41, 0x80, 0x02, 0x40, 0, 0x1a, 0x0c, 0, 0x0b, 0x00];

/** Processor time of all threads, so that other load on the machine does not count. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const configOf = (code: Uint8Array): NodeConfig => {
  const genesis = { raw: { top: { '0x3a636f6465': bytesToHex(code) } } };
  const specJson = JSON.stringify({ name: 'Hostile', id: 'hostile', genesis });
  return testConfig({ specJson });
};

const config = (ownMemory: boolean): NodeConfig => {
  const code = buildTinyModule({
    imports: [['ext_allocator_malloc_version_1', tinyTypes.malloc]],
    functions: { recursion, endless, hoard, swell, good: answer, ...blocks },
    ownMemory,
  });
  return configOf(code);
};

const open = (ownMemory = false): Promise<Node> => createNode(createTestPlatform(), config(ownMemory));

describe('a malicious runtime fails only its own call', () => {
  it('an endless loop ends within two seconds, and requests sent meanwhile get responses', async () => {
    const node = await open();
    const port = openPort(node);
    const before = cpuMs();
    const loop = port.request('state_call', ['endless', '0x']).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    // Sent during or just before the loop; they are queued in the port.
    const meanwhile = Promise.all([
      port.request('system_health', []),
      port.request('chain_getHeader', []),
      port.request('state_call', ['good', '0x']),
    ]);
    expect(await loop).toContain('fuel');
    const lasted = cpuMs() - before;
    expect(lasted).toBeLessThan(2000);
    const [health, header, good] = await meanwhile;
    expect(health).toMatchObject({ isSyncing: false });
    expect(header).toMatchObject({ number: '0x0' });
    expect(good).toBe('0x01020304');
    port.shut();
    await node.close();
  });

  it('so does the block of another node, and requests sent during its import get responses', async () => {
    const thread = await startNodeThread(config(false));
    const port = createConnection(await thread.openPort({ dialect: 'polkadot-sdk', denyUnsafe: false }));
    const emptyRoot = (await loadCrypto()).blake2b256(Uint8Array.of(0));
    const header = {
      parentHash: hexToBytes(thread.info.genesisHash),
      number: 1,
      stateRoot: emptyRoot,
      extrinsicsRoot: emptyRoot,
      digest: [],
    };
    const ends: string[] = [];
    const before = cpuMs();
    const block = encodeSignedBlock({ header, extrinsics: [], justifications: null });
    const importing = thread.control.importBlocks([block]);
    void importing.then(() => ends.push('import'));
    // The node's thread is in the loop, this thread is not: these requests wait in the port.
    const meanwhile = Array.from({ length: 50 }, async (_, index) => {
      const [method, params] = index % 2 === 0 ? ['system_health', []] : ['state_call', ['good', '0x']];
      const answer = await port.request(method as string, params as string[]);
      ends.push('answer');
      return answer;
    });
    expect(await importing).toMatchObject({ value: { hashes: [], refusal: { code: 'OutOfFuel' } } });
    expect(cpuMs() - before).toBeLessThan(2000);
    const [health, good] = await Promise.all(meanwhile);
    expect(ends.length).toBe(51);
    expect(health).toMatchObject({ isSyncing: false });
    expect(good).toBe('0x01020304');
    expect(thread.info.bestNumber).toBe(0);
    expect(await port.request('chain_getHeader', [])).toMatchObject({ number: '0x0' });
    port.close();
    await thread.stop();
  });

  it.each([
    ['hoard', false],
    ['swell', false],
    ['recursion', false],
    ['hoard', true],
    ['swell', true],
  ] as const)(
    '%s (own memory: %s) ends with an error, and the next call is unaffected',
    async (method, ownMemory) => {
      const node = await open(ownMemory);
      const port = openPort(node);
      for (let round = 0; round < 3; round++) {
        await expect(port.request('state_call', [method, '0x'])).rejects.toMatchObject({ code: 4003 });
        expect(await port.request('state_call', ['good', '0x'])).toBe('0x01020304');
      }
      port.shut();
      await node.close();
    },
  );

  it('an endless block is aborted with an error code, and the node responds', async () => {
    const node = await open();
    const port = openPort(node);
    const before = cpuMs();
    const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false });
    expect(sealed).toMatchObject({ ok: false, code: 'OutOfFuel' });
    expect(cpuMs() - before).toBeLessThan(2000);
    expect(await port.request('chain_getHeader', [])).toMatchObject({ number: '0x0' });
    port.shut();
    await node.close();
  });
});

describe('a runtime with endless host calls fails only its own call', () => {
  it.each(['cheapest', 'sameValue', 'newValues', 'hashes', 'keysAndRoots', 'allocations', 'logs'] as const)(
    '%s runs out of fuel, and requests sent meanwhile get responses',
    async (method) => {
      const node = await createNode(createTestPlatform(), configOf(buildEndlessCalls({ good: answer })));
      const port = openPort(node);
      const loop = port.request('state_call', [method, '0x']);
      const meanwhile = Promise.all([
        port.request('chain_getHeader', []),
        port.request('state_call', ['good', '0x']),
      ]);
      await expect(loop).rejects.toMatchObject({ code: 4003, message: expect.stringContaining('fuel') });
      expect(await meanwhile).toMatchObject([{ number: '0x0' }, '0x01020304']);
      port.shut();
      await node.close();
    },
  );

  it('so does its own block, and the node responds', async () => {
    const { sameValue } = endlessCalls;
    const code = buildEndlessCalls({ good: answer, Core_initialize_block: sameValue });
    const node = await createNode(createTestPlatform(), configOf(code));
    const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false });
    expect(sealed).toMatchObject({ ok: false, code: 'OutOfFuel' });
    const port = openPort(node);
    expect(await port.request('state_call', ['good', '0x'])).toBe('0x01020304');
    port.shut();
    await node.close();
  });
});
