import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { servingBlocks } from '../clients/serving.fixture.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { type Ready, runProcess, startProcess, startServed } from '../clients/test-process.fixture.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const charlie = '5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y';
const folder = mkdtempSync(join(tmpdir(), 'tabnode-fork-config-'));
const place = (name: string): string => join(folder, name);

const live = servingBlocks(2);
afterAll(() => rmSync(folder, { recursive: true }));

/** A port that nobody listens on. */
const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

const write = (options: Readonly<Record<string, unknown>>): string => {
  const path = place('config.yml');
  const all = { endpoint: live().ready.ws, port: 0, ...options };
  writeFileSync(
    path,
    Object.entries(all)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join('\n'),
  );
  return path;
};

const startFork = (options: Readonly<Record<string, unknown>>, ...flags: readonly string[]) =>
  startServed<Ready>('fork', '--json', '-c', write(options), ...flags);

type DryRan = { readonly old: { system: { account: Record<string, { data: { free: unknown } }> } } };

/** The free balance of an account, as a dry run that charges it shows it. */
const freeOf = async ({ call }: Awaited<ReturnType<typeof startFork>>, address: string): Promise<bigint> => {
  const { old } = await call<DryRan>('dev_dryRun', { extrinsic: { call: '0x00000400', address } });
  return BigInt(String(old.system.account[address]?.data.free));
};

describe('tabnode fork -c FILE', () => {
  it('has time and storage of the file before clients reach it, one port, and blocks that are final at once', async () => {
    const free = 10n ** 24n;
    const storage = place('storage.yml');
    writeFileSync(
      storage,
      `System:\n  Account:\n    - - - ${charlie}\n      - providers: 1\n        data:\n          free: ${free}\nSudo:\n  Key: ${alice}\n`,
    );
    const port = await freePort();
    const fork = await startFork({
      port,
      'import-storage': storage,
      timestamp: 2_000_000_000_000,
      'mock-signature-host': true,
      'build-block-mode': 'Manual',
      'prefetch-storages': ['System.Account', 'Balances'],
      'rpc-timeout': 5000,
    });
    expect([new URL(fork.ready.ws).port, new URL(fork.ready.http).port]).toEqual([`${port}`, `${port}`]);
    expect(await freeOf(fork, charlie)).toBe(free);
    const hash = await fork.call<string>('dev_newBlock', {});
    expect(await fork.call('chain_getFinalizedHead')).toBe(hash);
    const { mockSignatures } = await fork.call<{ mockSignatures: boolean }>('dev_status');
    expect(mockSignatures).toBe(true);
    await fork.process.said(/prefetch-storages: \d+ values are read/);
    expect(await fork.stop()).toContain('rpc-timeout: no effect here');
  });

  it('resumes the blocks in db, or begins again', async () => {
    const db = place('db.sqlite');
    const timestamp = 2_000_000_000_000;
    const first = await startFork({ db, block: 1, timestamp });
    expect(first.ready.bestNumber).toBe(1);
    const own = await first.call<string>('dev_newBlock', { count: 2 });
    await first.stop();
    const second = await startFork({ db, block: 1, resume: true, timestamp });
    expect(second.ready.bestNumber).toBe(3);
    expect(await second.call('chain_getBlockHash')).toBe(own);
    expect(await second.stop()).toMatch(/timestamp: the chain that is resumed is at 2033-05-18T\S+ already/);
    const third = await startFork({ db, block: 1, resume: 2 });
    expect(third.ready.bestNumber).toBe(2);
    expect(await third.call('chain_getHeader')).toMatchObject({ number: '0x2' });
    await third.stop();
    const fourth = await startFork({ db, block: 1 });
    expect(fourth.ready.bestNumber).toBe(1);
    expect(await fourth.call('chain_getHeader')).toMatchObject({ number: '0x1' });
    await fourth.stop();
  });

  it('prints the base to which a stored fork has moved, and the address of polkadot-js as it is', async () => {
    const options = { db: place('moved.sqlite') };
    await (await startFork(options)).stop();
    await callHttp(live().ready.http, 'engine_createBlock', [true, true]);
    const text = startProcess('fork', '-c', write(options));
    expect(await text.firstLine).toMatch(/^Development: best block #3, fork of block #3 /);
    text.kill('SIGTERM');
    const { code, stdout } = await text.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}polkadot-js: connect to ws:\/\/127\.0\.0\.1:\d+$/m);
  });

  it('takes a runtime of this chain, and no other', async () => {
    const stranger = place('stranger.wasm');
    const same = new URL('../../public/tabnode-runtime-next.compact.compressed.wasm', import.meta.url)
      .pathname;
    const hex = place('runtime.hex');
    writeFileSync(hex, `0x${readFileSync(same).toString('hex')}\n`);
    const fork = await startFork({ 'wasm-override': hex });
    expect(await fork.call('dev_newBlock', {})).toMatch(/^0x/);
    const { edited } = await fork.call<{ edited: string[] }>('dev_status');
    expect(edited).toHaveLength(1);
    await fork.stop();
    writeFileSync(stranger, '0x1234');
    const { code, stderr } = await runProcess('fork', '--json', '-c', write({ 'wasm-override': stranger }));
    expect([code, stderr]).toEqual([1, expect.stringContaining('"error"')]);
  });

  it('refuses storage that does not fit the runtime, and writes nothing', async () => {
    const db = place('refused.sqlite');
    const cases = [
      [{ Systems: { Number: 1 } }, 'no pallet Systems'],
      [{ System: { Numbers: 1 } }, 'no storage item System.Numbers'],
      [{ Sudo: { Key: '0x1234' } }, '0x1234'],
    ] as const;
    for (const [storage, text] of cases) {
      const config = write({ db, 'import-storage': storage, timestamp: 2_000_000_000_000 });
      const { code, stderr } = await runProcess('fork', '--json', '-c', config);
      expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
    }
    const fork = await startFork({ db, resume: true });
    const status = await fork.call<{ edited: string[]; clockMovedToMs: number }>('dev_status');
    expect(status).toMatchObject({ edited: [], clockMovedToMs: 0 });
    await fork.stop();
    const missing = write({ db: place('none.sqlite'), resume: true });
    expect((await runProcess('fork', '--json', '-c', missing)).stderr).toContain('nothing is stored');
  });
});
