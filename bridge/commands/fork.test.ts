import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ForkStatus } from '../../src/protocol/fork-status.ts';
import { openRemote } from '../../src/remote.ts';
import { servingBlocks } from '../clients/serving.fixture.ts';
import { type Ready, runProcess, startServed } from '../clients/test-process.fixture.ts';

type ForkReady = Ready & { readonly base: { readonly hash: string; readonly number: number } };

const folder = mkdtempSync(join(tmpdir(), 'tabnode-fork-'));
const onFreePorts = ['--json', '--ws-port', '0', '--rpc-port', '0'] as const;

const live = servingBlocks(3);
afterAll(() => rmSync(folder, { recursive: true }));

const startFork = (...args: readonly string[]) => startServed<ForkReady>('fork', ...onFreePorts, ...args);

describe('tabnode fork', () => {
  it('serves a chain that continues the finalized block, and says what is not as on the live chain', async () => {
    const { ready, call, stop } = await startFork(live().ready.ws);
    expect(ready).toMatchObject({
      bestNumber: 3,
      genesisHash: live().ready.genesisHash,
      base: { number: 3 },
    });
    const before = await call<{ fork: ForkStatus }>('dev_status');
    expect(before.fork).toMatchObject({
      name: 'Development',
      base: ready.base,
      chosenAs: 'finalized',
      lies: 0,
      endpoints: [{ name: live().ready.ws, state: 'fit', problem: null }],
      untruths: [],
    });
    expect(before.fork.requests).toBeGreaterThan(0);
    // The devtools of a page sign for the fork's own blocks.
    vi.stubGlobal('location', new URL('http://localhost/'));
    vi.stubGlobal('document', new EventTarget());
    onTestFinished(() => void vi.unstubAllGlobals());
    const remote = await openRemote(ready.ws);
    expect(remote.info.base).toEqual(ready.base);
    remote.connection.close();
    await call('engine_createBlock', true, true);
    const after = await call<{ bestNumber: number; fork: ForkStatus }>('dev_status');
    expect(after.bestNumber).toBe(4);
    expect(after.fork.untruths).toEqual([expect.stringContaining('Blocks have no seal')]);
    await stop();
  });

  it('opens and builds again without an endpoint', async () => {
    const place = ['--base-path', folder] as const;
    const first = await startFork(live().ready.http, ...place, '--block', '2', '--alice');
    expect(first.ready.base.number).toBe(2);
    await first.call('engine_createBlock', true, true);
    // What the next blocks need is read in the background.
    const requests = async () => (await first.call<{ fork: ForkStatus }>('dev_status')).fork.requests;
    let last = -1;
    await expect
      .poll(async () => {
        const isQuiet = last === (await requests());
        last = await requests();
        return isQuiet;
      })
      .toBe(true);
    await first.stop();
    const second = await startFork(...place);
    expect(second.ready).toMatchObject({ bestNumber: 3, base: first.ready.base });
    for (let block = 0; block < 3; block++)
      expect(await second.call('engine_createBlock', true, true)).toHaveProperty('hash');
    const { fork } = await second.call<{ fork: ForkStatus }>('dev_status');
    expect(fork).toMatchObject({ endpoints: [], requests: 0 });
    await second.stop();
    const [name = ''] = readdirSync(join(folder, 'chains'));
    const info = await runProcess('chain-info', ...place, '--json', '--chain', name);
    expect([info.code, JSON.parse(info.stdout)]).toMatchObject([0, { best_number: 6 }]);
  });

  it('two processes share what was read while both run, but not one fork', async () => {
    const place = ['--base-path', join(folder, 'both')] as const;
    const block = (number: number) => ['--block', `${number}`] as const;
    const forks = await Promise.all(
      [1, 2].map((number) => startFork(live().ready.ws, ...place, ...block(number))),
    );
    for (let round = 0; round < 3; round++)
      await Promise.all(forks.map(({ call }) => call('engine_createBlock', true, true)));
    const { code, stderr } = await runProcess('fork', ...onFreePorts, live().ready.ws, ...place, ...block(2));
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { code: 'ChainInUse' }]);
    for (const [index, { call, stop }] of forks.entries()) {
      const { bestNumber, fork } = await call<{ bestNumber: number; fork: ForkStatus }>('dev_status');
      expect([bestNumber, fork.lies]).toEqual([index + 4, 0]);
      await stop();
    }
    // What one of them has read is what the next one does not request.
    const third = await startFork(live().ready.ws, ...place, ...block(3));
    await third.call('engine_createBlock', true, true);
    const { fork } = await third.call<{ fork: ForkStatus }>('dev_status');
    expect(fork.shared?.found).toBeGreaterThan(0);
    expect(fork.requests).toBeLessThanOrEqual(6);
    await third.stop();
  });

  it('writes a pack, and opens it elsewhere', async () => {
    const file = join(folder, 'fork.pack');
    const first = await startFork(live().ready.ws, '--save', file);
    const { hash } = await first.call<{ hash: string }>('engine_createBlock', true, true);
    await first.stop();
    const second = await startFork('--pack', file);
    expect(second.ready).toMatchObject({ bestNumber: 3, base: first.ready.base });
    expect(await second.call('engine_createBlock', true, true)).toMatchObject({ hash });
    await second.stop();
    const { code, stderr } = await runProcess('fork', ...onFreePorts, live().ready.ws, '--save', file);
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { message: expect.stringContaining('exists') }]);
    const asBlock = await runProcess('run-block', '--json', '--pack', file);
    expect([asBlock.code, JSON.parse(asBlock.stderr)]).toMatchObject([
      1,
      { code: 'BadValue', message: expect.stringContaining('it is opened by tabnode fork --pack') },
    ]);
  });

  it('says that a stored fork goes on, and not from the pack', async () => {
    const file = join(folder, 'again.pack');
    const saved = await startFork(live().ready.ws, '--save', file);
    await saved.call('engine_createBlock', true, true);
    await saved.stop();
    const place = ['--pack', file, '--base-path', join(folder, 'again')] as const;
    const first = await startFork(...place);
    const { hash } = await first.call<{ hash: string }>('engine_createBlock', true, true);
    expect(await first.stop()).not.toContain('only compared');
    const second = await startFork(...place);
    expect(second.ready.bestNumber).toBe(4);
    expect(await second.call('chain_getBlockHash')).toBe(hash);
    expect(await second.stop()).toContain(`${file} was only compared with its base`);
  });

  it('refuses a database that another fork runs, and leaves it as it is', async () => {
    const place = ['--base-path', join(folder, 'used')] as const;
    const first = await startFork(live().ready.ws, ...place);
    const { code, stderr } = await runProcess('fork', ...onFreePorts, live().ready.ws, ...place);
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { code: 'ChainInUse' }]);
    expect(await first.call('engine_createBlock', true, true)).toMatchObject({ hash: expect.any(String) });
    await first.stop();
  });

  it('refuses what it cannot do in one sentence', async () => {
    const cases: readonly (readonly [args: readonly string[], code: string, text: string])[] = [
      [[], 'BadConfig', 'takes the name of a chain'],
      [[live().ready.ws, '--clock', '2030-01-01'], 'BadConfig', 'continues at the time of its base'],
      [[live().ready.ws, '--block', '9'], 'UnknownBlock', 'no block #9'],
      [['http://127.0.0.1:1'], 'EndpointFailed', 'http://127.0.0.1:1'],
      [['--base-path', join(folder, 'none')], 'BadConfig', 'There is no fork in'],
    ];
    for (const [args, code, text] of cases) {
      const { code: exit, stderr } = await runProcess('fork', ...onFreePorts, ...args);
      expect(exit).toBe(1);
      expect(JSON.parse(stderr)).toMatchObject({ code, message: expect.stringContaining(text) });
    }
  });
});
