import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../bridge/clients/test-clients.fixture.ts';
import { runServe, startServe, type TestProcess } from '../../bridge/clients/test-process.fixture.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { StoreName } from '../../worker/db/stores.ts';
import { type Made, makeChain } from './damage-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-damage-serve-'));
const whole = join(folder, 'whole.sqlite');
const chains = join(folder, 'base', 'chains', 'development');
let made: Made;

beforeAll(async () => {
  mkdirSync(chains, { recursive: true, mode: 0o700 });
  made = await makeChain(whole, 32);
});
afterAll(() => rmSync(folder, { recursive: true }));

let running: TestProcess | null = null;
/** Stops the node and returns what it wrote to stderr. */
const stop = async (): Promise<string> => {
  running?.kill('SIGTERM');
  const ended = await running?.ended;
  running = null;
  return ended?.stderr ?? '';
};
// A node left over from a failed test would keep the file open.
afterEach(async () => void (await stop()));

/** Copies the chain into place, with one bit of one record flipped. */
const damage = (store: StoreName, find: (key: Uint8Array, value: Uint8Array) => boolean): void => {
  const path = join(chains, 'tabnode.sqlite');
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  copyFileSync(whole, path);
  const file = new DatabaseSync(path);
  const rows = file.prepare(`SELECT key, value FROM "${store}"`).all() as Record<string, Uint8Array>[];
  const found = rows.filter(({ key, value }) => find(key as Uint8Array, value as Uint8Array));
  expect(found).toHaveLength(1);
  const value = found[0]?.['value'] as Uint8Array;
  const at = Math.floor(value.length / 2);
  value[at] = (value[at] as number) ^ 1;
  file.prepare(`UPDATE "${store}" SET value = ? WHERE key = ?`).run(value, found[0]?.['key'] as Uint8Array);
  file.close();
};

const isHex = (bytes: Uint8Array, hex: string): boolean => Buffer.from(bytes).equals(hexToBytes(hex));

const serve = async (seal: string) => {
  const node = await startServe(
    '--base-path',
    join(folder, 'base'),
    '--seal',
    seal,
    '--dialect',
    'polkadot-sdk',
  );
  const ask = async (method: string, ...params: unknown[]): Promise<{ result?: unknown; error?: unknown }> =>
    (await post(node.ready.http, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).json() as never;
  running = node;
  return ask;
};

const broken = {
  error: {
    message: expect.stringMatching(
      /The database is damaged: .* Nothing was changed\. Repair it \(in the page's list of chains, or by tabnode repair\)/,
    ),
  },
};

/** Must not contain paths of the program or of this machine. */
const expectPlain = (stderr: string): void => {
  expect(stderr).not.toMatch(/\n\s+at |file:|\.ts\b|\.js\b/);
  expect(stderr).not.toContain(folder);
};

describe('tabnode serve on a chain with one flipped bit', () => {
  it('does not serve header 30', async () => {
    damage('headers', (key) => isHex(key, made.blocks[30] as string));
    const ask = await serve('manual');
    expect(await ask('chain_getHeader', made.blocks[30])).toMatchObject(broken);
    expect(await ask('chain_getBlock', made.blocks[30])).toMatchObject(broken);
    expect(await ask('chain_getHeader', made.blocks[31])).toMatchObject({ result: { number: '0x1f' } });
    expectPlain(await stop());
  });

  it('does not serve the extrinsics of block 31', async () => {
    damage('bodies', (key) => isHex(key, made.blocks[31] as string));
    const ask = await serve('manual');
    expect(await ask('chain_getBlock', made.blocks[31])).toMatchObject(broken);
    expect(await ask('chain_getHeader', made.blocks[31])).toMatchObject({ result: { number: '0x1f' } });
    expectPlain(await stop());
  });

  it("does not serve Alice's balance, and accepts no transaction of hers", async () => {
    damage('nodes', (_key, value) => isHex(value, made.aliceAccount));
    const ask = await serve('manual');
    expect(await ask('state_getStorage', made.aliceKey)).toMatchObject(broken);
    expect(await ask('author_submitExtrinsic', made.transfer)).toMatchObject(broken);
    expect(await ask('author_pendingExtrinsics')).toMatchObject({ result: [] });
    expectPlain(await stop());
  });

  it('seals nothing on a state it cannot read, and reports it once', async () => {
    damage('nodes', (_key, value) => isHex(value, made.authorities));
    const ask = await serve('instant');
    expect(await ask('author_submitExtrinsic', made.transfer)).toHaveProperty('result');
    // Blocks are built one at a time, so the one requested by the transaction has failed before this one.
    expect(await ask('engine_createBlock', true, false)).toMatchObject(broken);
    expect(await ask('chain_getHeader')).toMatchObject({ result: { number: '0x20' } });
    const stderr = await stop();
    expect(stderr.match(/StorageBroken: The database is damaged/g)).toHaveLength(1);
    expectPlain(stderr);
  });

  it.each([
    ['header', 'headers'],
    ['extrinsics', 'bodies'],
  ] as const)('does not start if the best block is damaged: its %s', async (_what, store) => {
    damage(store, (key) => isHex(key, made.blocks.at(-1) as string));
    const { code, stdout, stderr } = await runServe('--base-path', join(folder, 'base'), '--seal', 'manual');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      event: 'error',
      code: 'StorageBroken',
      message: expect.stringMatching(
        `The database is damaged: the record ${made.blocks.at(-1)} of the store "${store}"`,
      ),
    });
    expectPlain(stderr);
  });

  it('does not start if the runtime of the best block is damaged', async () => {
    damage('nodes', (_key, value) => value.length > 100_000);
    const { code, stderr } = await runServe('--base-path', join(folder, 'base'), '--seal', 'manual');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'StorageBroken' });
    expectPlain(stderr);
  });
});
