import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCall } from '../../src/scale/extrinsic.ts';
import { fromHex, toHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import type { Json } from '../../src/scale/types.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { runProcess, startServe } from '../clients/test-process.fixture.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const aliceKey =
  '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9de1e86a9a8c739864cf3cc5ec2bea59fd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
/** System.remark without bytes. */
const remark = '0x00000400';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-tools-'));
let live: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
  live = await startServe('--dev', '--seal', 'manual');
  for (let block = 0; block < 2; block++) await callHttp(live.ready.http, 'engine_createBlock', [true, true]);
}, 60_000);
afterAll(async () => {
  live.kill('SIGTERM');
  await live.ended;
  rmSync(folder, { recursive: true });
});

const run = async (command: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await runProcess(command, '--json', '-e', live.ready.ws, ...args);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { code, stderr, printed: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

/** A call of the live chain's runtime as hex. */
const encode = async (pallet: string, name: string, args: Json): Promise<string> => {
  const metadata = (await callHttp(live.ready.http, 'state_getMetadata', [])) as string;
  return toHex(encodeCall(createRuntimeMeta(fromHex(metadata)), pallet, name, args));
};

describe('dry-run', () => {
  it('of a call as any account shows what it changes, and what the hooks of its block do apart', async () => {
    const { code, printed } = await run('dry-run', '--extrinsic', remark, '--address', alice);
    expect(code).toBe(0);
    expect(printed).toMatchObject([
      { what: 'extrinsic', outcome: 'Ok', new: { system: { account: { [alice]: { nonce: 1 } } } } },
    ]);
    const [{ new: own, hooks } = {}] = printed;
    expect(own).not.toHaveProperty('timestamp');
    expect(hooks).toMatchObject({ initialization: { new: { timestamp: {} } } });
  });

  it('of a preimage dispatches it as root, and then runs an extrinsic', async () => {
    const call = await encode('System', 'set_storage', { items: [['0x12', '0x34']] });
    const both = await run('dry-run', '--preimage', call, '--extrinsic', remark, '--address', alice);
    expect(both.code).toBe(0);
    expect(both.printed).toMatchObject([
      { what: 'preimage', outcome: 'Ok', new: { '0x12': '0x34' } },
      { what: 'extrinsic', outcome: 'Ok' },
    ]);
    // What the hooks of every block do is not the call's.
    expect(both.printed[0]?.['new']).not.toHaveProperty('babe');
    // Longer than what the agenda itself keeps.
    const long = `0x0000${(200 * 4 + 1)
      .toString(16)
      .padStart(4, '0')
      .replace(/(..)(..)/, '$2$1')}${'61'.repeat(200)}`;
    expect(await run('dry-run', '--preimage', long)).toMatchObject({
      code: 0,
      printed: [{ what: 'preimage', outcome: 'Ok' }],
    });
  });

  it('reports a call that fails by its exit code', async () => {
    const call = await encode('System', 'remark_with_event', { remark: '0x' });
    const { code, printed } = await run('dry-run', '--preimage', call);
    expect([code, printed]).toMatchObject([1, [{ what: 'preimage', outcome: { Err: 'BadOrigin' } }]]);
    const sudo = await encode('Sudo', 'remove_key', null);
    expect(await run('dry-run', '--extrinsic', sudo, '--address', bob)).toMatchObject({
      code: 1,
      printed: [{ what: 'extrinsic', outcome: { Err: { Module: 'Sudo.RequireSudo' } } }],
    });
  });

  it('refuses what is no call or extrinsic in words', async () => {
    for (const [args, text] of [
      [[], 'dry-run takes --extrinsic'],
      [['--extrinsic', '0x1'], 'is not hex'],
      [['--preimage', remark, '--address', alice], 'add --extrinsic'],
      [['--preimage', `${remark}01`], '1 byte left over'],
      [['--preimage', '0xffff'], 'no call of this runtime'],
      [['--extrinsic', `${remark}01`, '--address', alice], '1 byte is left over'],
      [['--preimage', remark, '--at', `0x${'11'.repeat(32)}`], 'write --block'],
      [['--extrinsic', remark, '--address', alice, '--at', `0x${'11'.repeat(32)}`], 'not found'],
      [['--extrinsic', remark, '--html', 'x'], "Unknown option '--html'"],
      [
        ['--extrinsic', remark],
        'not an extrinsic of this runtime: it is empty. If they are a call, name its account with --address',
      ],
      [['--extrinsic', remark, '--address', 'Alice'], '--address Alice: expected an SS58 address'],
    ] as const) {
      const { code, stderr, printed } = await run('dry-run', ...args);
      expect([code, printed]).toEqual([1, []]);
      expect(stderr).toContain(text);
      expect(stderr).not.toContain('Internal');
    }
  });
});

describe('fetch-storages', () => {
  it('reads once what a fork then has without a network', async () => {
    const place = ['--base-path', join(folder, 'kept'), '--block', '2'] as const;
    const first = await run('fetch-storages', 'System.Account', '0x1234', ...place);
    expect(first).toMatchObject({ code: 0, printed: [{ values: expect.any(Number), base: { number: 2 } }] });
    expect(first.printed[0]?.['values']).toBeGreaterThan(5);
    const again = await run('fetch-storages', 'System.Account', ...place, '--offline');
    expect(again).toMatchObject({
      code: 0,
      printed: [{ values: first.printed[0]?.['values'], requests: 0 }],
    });
  });

  it('refuses names that the runtime does not have, and to forget what it reads', async () => {
    for (const [args, text] of [
      [[], 'takes what to read'],
      [['System.Account'], 'add --base-path or --db'],
      [['Systems', '--base-path', join(folder, 'none')], 'no pallet Systems (did you mean System?)'],
      [['System.Accounts', '--base-path', join(folder, 'none')], 'no storage item System.Accounts'],
      [['a.b.c', '--base-path', join(folder, 'none')], 'is no part of a state'],
    ] as const) {
      const { code, stderr } = await run('fetch-storages', ...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
    }
  });
});

describe('decode-key', () => {
  it('names pallet, item and keys', async () => {
    expect(await run('decode-key', aliceKey)).toMatchObject({
      code: 0,
      printed: [{ pallet: 'System', item: 'Account', keys: [alice] }],
    });
    expect(await run('decode-key', aliceKey.slice(0, 34))).toMatchObject({
      code: 0,
      printed: [{ pallet: 'System' }],
    });
    expect(await run('decode-key', '0x1234')).toMatchObject({ code: 1, printed: [{ pallet: null }] });
    expect((await run('decode-key', 'System')).stderr).toContain('is not hex');
    expect((await run('decode-key')).stderr).toContain('takes one storage key');
  });

  it('needs the chain, like the other tools', async () => {
    for (const [command, ...args] of [
      ['decode-key', aliceKey],
      ['fetch-storages', 'System'],
      ['dry-run', '--extrinsic', remark],
      ['follow-chain'],
    ] as const) {
      const { code, stderr } = await runProcess(command, ...args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(`^Error BadConfig: ${command} .* name it with --endpoint, such as`),
      ]);
    }
  });

  it('takes the chain from a configuration', async () => {
    const path = join(folder, 'config.yml');
    writeFileSync(path, `endpoint: ${live.ready.ws}\n`);
    const { code, stdout } = await runProcess('decode-key', '-c', path, aliceKey);
    expect([code, stdout]).toEqual([0, `System.Account "${alice}"\n`]);
  });
});

describe('follow-chain', () => {
  it('is follow, with the names of chopsticks', async () => {
    const ended = run('follow-chain', '--head-mode', 'Finalized', '--count', '1');
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    while (!isOver) await callHttp(live.ready.http, 'engine_createBlock', [true, true]);
    expect(await ended).toMatchObject({ code: 0, printed: [{ isSame: true }] });
    expect((await run('follow-chain', '--head-mode', 'newest')).stderr).toContain('Latest or Finalized');
  });
});
