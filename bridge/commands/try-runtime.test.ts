import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RehearsalReport } from '../../src/protocol/rehearsal.ts';
import { entryPrefix } from '../../src/scale/storage.ts';
import { buildMigratingRuntime } from '../../test/rigs/migrating-runtime.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { type Ended, runProcess, startProcess, startServe } from '../clients/test-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-try-runtime-'));
const next = fileURLToPath(
  new URL('../../public/tabnode-runtime-next.compact.compressed.wasm', import.meta.url),
);
const [trapping, failing, endless, asking] = ['trapping', 'failing', 'endless', 'asking'].map((name) =>
  join(folder, `${name}.wasm`),
) as [string, string, string, string];
const pack = join(folder, 'read.pack');

let live: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
  live = await startServe('--dev', '--seal', 'manual');
  for (let block = 0; block < 3; block++) await callHttp(live.ready.http, 'engine_createBlock', [true, true]);
  const crypto = await loadCrypto();
  await writeFile(trapping, await buildMigratingRuntime(crypto, ({ trap }) => ({ before: trap })));
  await writeFile(failing, await buildMigratingRuntime(crypto, ({ trap }) => ({ checks: trap })));
  await writeFile(endless, await buildMigratingRuntime(crypto, ({ loop }) => ({ before: loop })));
  const key = hexToBytes(entryPrefix('System', 'Number'));
  await writeFile(asking, await buildMigratingRuntime(crypto, ({ askOn }) => ({ before: askOn(key) })));
}, 60_000);
afterAll(async () => {
  live.kill('SIGTERM');
  await live.ended;
  rmSync(folder, { recursive: true });
});

const rehearse = (...args: readonly string[]): Promise<Ended> => runProcess('try-runtime', ...args);

const reportOf = ({ stdout }: Ended): RehearsalReport => JSON.parse(stdout) as RehearsalReport;

describe('try-runtime', () => {
  it('prints what an upgrade takes, and saves what it has read', async () => {
    const ended = await rehearse('--runtime', next, live.ready.ws, '--save', pack);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(
      /^tabnode 101 to 102 on block #3 \(0x[0-9a-f]{64}\)\nchecks: none, .*\non_runtime_upgrade: [\d.]+ ms, \d+ keys read\n {2}weight: ref_time [\d,]+, [\d.]+ % of 2,000,000,000,000; proof_size \d+\n {2}proof: \d+ nodes, [\d.]+ kB plain, [\d.]+ kB compact, [\d.]+ kB zstd\n/,
    );
    expect(ended.stdout).toMatch(
      /\nblock #7: .*\n {2}weight: .*\nread: \d+ requests, [\d.]+ kB\nNo problems were found\.\n$/,
    );
    expect(ended.stderr).toContain(`What was read is saved in ${pack}`);
  });

  it('repeats a rehearsal from a pack without a network', async () => {
    const ended = await rehearse('--runtime', next, '--pack', pack, '--json');
    expect(ended.code).toBe(0);
    expect(reportOf(ended)).toMatchObject({
      block: { number: 3 },
      problems: [],
      requests: 0,
      bytes: 0,
      blocks: [{ number: 4 }, { number: 5 }, { number: 6 }, { number: 7 }],
    });
  });

  it('ends with 1 and names what is wrong', async () => {
    const traps = await rehearse('--runtime', trapping, '--pack', pack);
    expect(traps.code).toBe(1);
    expect(traps.stdout).toContain(
      'PROBLEM: on_runtime_upgrade fails, and the chain would stop before block #4',
    );
    const checks = await rehearse('--runtime', failing, '--pack', pack, '--json', '--checks', 'all');
    expect(checks.code).toBe(1);
    expect(reportOf(checks)).toMatchObject({
      checks: { selected: 'all', failure: expect.stringContaining('it traps') },
      problems: [expect.stringContaining('The upgrade fails its checks (all)')],
    });
  });

  it('shows each second that it works', async () => {
    const process = startProcess('try-runtime', '--runtime', endless, '--pack', pack);
    await process.said(/^Read [\d,]+ keys?, now executing; .*; 1 s\nRead .*; 2 s\n/m);
    process.kill('SIGKILL');
    await process.ended;
  });

  it('shows how much a call has read while the runtime is in it', async () => {
    const process = startProcess('try-runtime', '--runtime', asking, '--pack', pack, '--json');
    await process.said(/("executed":[1-9][\s\S]*){2}/);
    process.kill('SIGKILL');
    const { stderr } = await process.ended;
    const shown = [...stderr.matchAll(/"executed":([1-9]\d*)/g)].map(([, count]) => Number(count));
    expect(shown[1]).toBeGreaterThan(shown[0] as number);
  });

  it('leaves no part of a file when it is interrupted', async () => {
    const saved = join(folder, 'never.pack');
    const process = startProcess('try-runtime', '--runtime', endless, '--pack', pack, '--save', saved);
    await process.said(/now executing/);
    const parts = () => readdirSync(folder).filter((name) => name.startsWith('never.pack'));
    expect(parts()).toHaveLength(1);
    process.kill('SIGINT');
    expect((await process.ended).code).not.toBe(0);
    expect(parts()).toEqual([]);
  });

  it('refuses what it cannot rehearse in one sentence', async () => {
    const none = join(folder, 'none.wasm');
    const notes = join(folder, 'notes.wasm');
    await writeFile(notes, 'no runtime');
    const cases: readonly (readonly [args: readonly string[], code: string, text: string])[] = [
      [[live.ready.ws], 'BadConfig', 'try-runtime needs --runtime FILE'],
      [['--runtime', next], 'BadConfig', 'try-runtime takes the name of a chain'],
      [['--runtime', none, live.ready.ws], 'BadConfig', `The runtime ${none} cannot be read`],
      [['--runtime', notes, live.ready.ws], 'BadCode', ''],
      [['--runtime', next, '--checks', 'some', live.ready.ws], 'BadConfig', 'expected one of none, all'],
      [['--runtime', next, '--checks', 'All', live.ready.ws], 'MissingApi', 'try-runtime'],
      [['--runtime', next, '--max-blocks', '0', live.ready.ws], 'BadConfig', '--max-blocks 0'],
      [['--runtime', next, '--block', '9', live.ready.ws], 'UnknownBlock', 'The chain has no block #9 yet'],
      [['--runtime', next, '--pack', next], 'BadValue', 'This is not a pack of a fork'],
      [['--runtime', next, '--pack', pack, '--block', '3'], 'BadConfig', 'leave out --block'],
    ];
    for (const [args, code, text] of cases) {
      const ended = await rehearse('--json', ...args);
      expect([ended.code, ended.stdout], args.join(' ')).toEqual([1, '']);
      expect(JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
        code,
        message: expect.stringContaining(text),
      });
    }
  }, 120_000);
});
