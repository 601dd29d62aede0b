import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logLevels } from '../../src/protocol/rpc/params/dev.ts';
import { methodResults } from '../../src/protocol/rpc/results/results.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { type DevNode, rejection, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
beforeEach(async () => {
  dev = await startDevNode({ changes: { offchainWorkers: 'never' } });
});
afterEach(() => dev.stop());

type Log = {
  readonly level: (typeof logLevels)[number];
  readonly target: string;
  readonly text: string;
  readonly block: number | null;
};

const follow = async (...level: string[]): Promise<Log[]> =>
  (await dev.follow('dev_subscribeLogs', ...level)) as Log[];

describe('dev_subscribeLogs', () => {
  it("sends what the runtime logs while a block is built, with the block's number", async () => {
    const all = await follow('trace');
    const few = await follow('debug');
    await dev.call('dev_newBlock', { count: 2 });
    const debugged = () => all.filter(({ level }) => level !== 'trace');
    // Each subscription has its own batches.
    await expect
      .poll(() => all.some(({ block }) => block === 2) && few.length === debugged().length)
      .toBe(true);
    for (const line of all) expect(methodResults.dev_subscribeLogs.schema.safeParse(line).success).toBe(true);
    expect(all.map(({ target }) => target)).toContain('runtime::system');
    expect(all.some(({ level }) => level === 'trace')).toBe(true);
    expect(few.length).toBeGreaterThan(0);
    // The time differs between subscriptions.
    const untimed = (lines: readonly Log[]) => lines.map((line) => ({ ...line, at: 0 }));
    expect(untimed(few)).toEqual(untimed(debugged()));
  });

  it('makes the runtime log no more than subscribers request', async () => {
    const plain = await follow();
    await dev.call('dev_newBlock');
    const { watchLogs } = dev.node.parts.executor;
    const seen: number[] = [];
    const stop = watchLogs(2, ({ level }) => seen.push(level));
    await dev.call('dev_newBlock');
    stop();
    expect(
      [...plain.map(({ level }) => logLevels.indexOf(level)), ...seen].every((level) => level <= 2),
    ).toBe(true);
  });

  it('reports a trap as an error of the executor', async () => {
    const lines = await follow('error');
    await expect(dev.call('state_call', 'Core_execute_block', '0x00')).rejects.toThrow();
    await expect.poll(() => lines.at(-1)).toMatchObject({ level: 'error', target: 'executor', block: null });
    expect(lines.at(-1)?.text).toMatch(/^Core_execute_block: /);
  });

  it('without a level, sends what the log filter passes, which the system methods change', async () => {
    const lines = await follow();
    const errors = await follow('error');
    const targets = async (): Promise<Set<string>> => {
      lines.length = 0;
      await dev.call('dev_newBlock');
      const { number } = dev.best();
      // A trap is reported in order, after the block's own lines.
      await expect(dev.call('state_call', 'Core_execute_block', '0x00')).rejects.toThrow();
      await expect.poll(() => lines.at(-1)?.target).toBe('executor');
      expect(lines.every(({ block }) => block === null || block === number)).toBe(true);
      return new Set(lines.map(({ level, target }) => `${level} ${target}`));
    };
    const before = await targets();
    expect([...before].some((line) => /^(debug|trace) /.test(line))).toBe(false);
    expect(await dev.call('system_addLogFilter', 'runtime::system=trace')).toBeNull();
    const after = await targets();
    expect([...after].some((line) => line === 'trace runtime::system')).toBe(true);
    expect([...after].every((line) => !line.startsWith('trace ') || line.endsWith('::system'))).toBe(true);
    for (const directives of ['==', 'a=b=c', 'runtime=loud'])
      await expect(dev.call('system_addLogFilter', directives)).rejects.toMatchObject({
        code: -32602,
        data: expect.stringContaining('directive'),
      });
    expect(await targets()).toEqual(after);
    expect(await dev.call('system_resetLogFilter')).toBeNull();
    expect(await targets()).toEqual(before);
    // A subscriber with its own level gets it regardless of the filter.
    expect(errors.filter(({ target }) => target === 'executor')).toHaveLength(4);
  });

  it('refuses an invalid level', async () => {
    await expect(dev.call('dev_subscribeLogs', 'loud')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('dev_runtimeInfo', () => {
  it('refuses bad code as dev_setStorage does', async () => {
    for (const code of ['0x', '0x00', '0x0061736d', `0x52bc537646db8e05${'00'.repeat(8)}`]) {
      const told = await rejection(dev.call('dev_runtimeInfo', null, code));
      expect(told).toMatchObject({ code: 1, data: 'BadCode' });
      expect(await rejection(dev.call('dev_setStorage', [['0x3a636f6465', code]]))).toEqual(told);
    }
  });

  it('describes the module behind :code', async () => {
    const info = await dev.call<{
      codeBytes: number;
      moduleBytes: number;
      imports: { module: string; name: string }[];
      exports: string[];
    }>('dev_runtimeInfo');
    expect(methodResults.dev_runtimeInfo.schema.safeParse(info).error).toBe(undefined);
    expect(info.codeBytes).toBe(await dev.call('state_getStorageSize', '0x3a636f6465'));
    expect(info.moduleBytes).toBeGreaterThan(info.codeBytes);
    expect(info.imports.map(({ name }) => name)).toContain('ext_storage_get_version_1');
    expect(info.exports).toContain('Core_execute_block');
    const genesis = await dev.call('chain_getBlockHash', 0);
    expect(await dev.call('dev_runtimeInfo', genesis)).toEqual(info);
    await expect(dev.call('dev_runtimeInfo', `0x${'12'.repeat(32)}`)).rejects.toMatchObject({ code: 4003 });
  });

  it('describes code that could replace it, and why other bytes could not', async () => {
    const current = await dev.call<{ specName: string; specVersion: number }>('dev_runtimeInfo');
    const code = readFileSync('public/tabnode-runtime-next.compact.compressed.wasm').toString('hex');
    const next = await dev.call('dev_runtimeInfo', null, `0x${code}`);
    expect(next).toMatchObject({
      specName: current.specName,
      specVersion: current.specVersion + 1,
      codeBytes: code.length / 2,
    });
    await expect(dev.call('dev_runtimeInfo', null, '0x1234')).rejects.toMatchObject({
      message: expect.stringMatching(/neither a WebAssembly module/),
      data: 'BadCode',
    });
    expect(await dev.call('dev_runtimeInfo')).toEqual(current);
  });
});

describe('dev_listKeys', () => {
  it('returns public keys and no secrets', async () => {
    const bob = dev.pair('//Bob').publicKey;
    await dev.call('author_insertKey', 'imon', '//Bob', `0x${Buffer.from(bob).toString('hex')}`);
    const keys = await dev.call<{ keyType: string; publicKey: string }[]>('dev_listKeys');
    expect(methodResults.dev_listKeys.schema.safeParse(keys).error).toBe(undefined);
    const added = keys.find(({ keyType }) => keyType === 'imon');
    expect(added).toMatchObject({ scheme: 'sr25519' });
    expect(hexToBytes(added?.publicKey ?? '0x')).toEqual(bob);
    expect(keys.every((key) => Object.keys(key).sort().join() === 'keyType,publicKey,scheme')).toBe(true);
  });
});

describe('dev_stats', () => {
  it('returns timings of the newest blocks and the sizes of memory and storage', async () => {
    await dev.call('dev_newBlock', { count: 130 });
    const stats = await dev.call<{
      blocks: { number: number; buildMs: number | null }[];
      wasm: { instances: number; pages: number };
      storedBytes: number;
    }>('dev_stats');
    expect(methodResults.dev_stats.schema.safeParse(stats).error).toBe(undefined);
    expect(stats.blocks).toHaveLength(120);
    expect(stats.blocks.at(-1)?.number).toBe(130);
    expect(stats.blocks.every(({ buildMs }) => buildMs !== null && buildMs > 0)).toBe(true);
    expect(stats.wasm.pages).toBeGreaterThan(stats.wasm.instances);
    expect(stats.storedBytes).toBeGreaterThan(0);
  });
});

describe('dev_status', () => {
  it("is the node's status, as its host reads it", async () => {
    const status = await dev.call<object>('dev_status');
    expect(methodResults.dev_status.schema.safeParse(status)).toMatchObject({ success: true, data: status });
    expect(status).toEqual(await dev.node.status());
  });
});
