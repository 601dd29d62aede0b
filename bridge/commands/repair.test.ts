import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Made, makeChain } from '../../test/damage/damage-rig.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { type Ended, runProcess, runServe, startServe } from '../clients/test-process.fixture.ts';

const base = mkdtempSync(join(tmpdir(), 'tabnode-repair-command-'));
const folder = join(base, 'chains', 'development');
const path = join(folder, 'tabnode.sqlite');
let made: Made;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  made = await makeChain(path, 12);
  const file = new DatabaseSync(path);
  for (const number of [10, 12])
    file.prepare('DELETE FROM headers WHERE key = ?').run(hexToBytes(made.blocks[number] as string));
  file.close();
});
afterAll(() => rmSync(base, { recursive: true }));

const repair = (...args: readonly string[]): Promise<Ended> =>
  runProcess('repair', '--base-path', base, ...args);

it('a damaged chain: reported by serve, shown by --dry-run, repaired only with --yes, then served', async () => {
  const refused = await runServe('--base-path', base);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stderr)).toMatchObject({
    code: 'StorageBroken',
    message: expect.stringContaining('tabnode repair'),
  });

  const planned = await repair('--dry-run');
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain(`The last intact block is #9 (${made.blocks[9]})`);
  expect(planned.stdout).toContain('blocks #10 to #12');
  expect(planned.stdout).toContain('Checked in full: the states of #9 and #8.');
  expect(planned.stdout).toContain(`tabnode export-blocks --base-path ${base} FILE\n`);

  const unasked = await repair();
  expect(unasked).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Not interactive: pass --yes or --dry-run'),
  });

  const done = await repair('--yes', '--json');
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const report = JSON.parse(done.stdout);
  expect(report).toMatchObject({
    outcome: 'repaired',
    head: { number: 9, hash: made.blocks[9] },
    lostBlocks: { from: 10, to: 12 },
    keptAt: `${path}.damaged-1`,
  });

  const served = await startServe('--base-path', base, '--seal', 'manual');
  expect(served.ready.bestNumber).toBe(9);
  const inUse = await repair('--yes');
  expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('ChainInUse') });
  served.kill('SIGTERM');
  expect((await served.ended).code).toBe(0);

  const whole = await repair();
  expect(whole).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing is damaged\. The head is block #9\.\nChecked in full/),
  });
}, 120_000);

it('blocks above a lost one are exported by the command that repair prints, as long as the node starts', async () => {
  const other = join(base, "it's other");
  const place = join(other, 'chains', 'development');
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const { blocks } = await makeChain(join(place, 'tabnode.sqlite'), 12);
  const file = new DatabaseSync(join(place, 'tabnode.sqlite'));
  file.prepare('DELETE FROM bodies WHERE key = ?').run(hexToBytes(blocks[5] as string));
  file.close();
  const planned = await runProcess('repair', '--dry-run', '--base-path', other);
  expect(planned.stdout).toContain('blocks #5 to #12');
  const command = planned.stdout.split('\n').find((line) => line.includes('tabnode export-blocks'));
  expect(command).toContain(`tabnode export-blocks --base-path '${base}/it'\\''s other' FILE`);
  const out = join(base, 'rest.json');
  writeFileSync(out, 'kept\n');
  const exportTo = (...args: readonly string[]): Promise<Ended> =>
    runProcess('export-blocks', '--base-path', other, out, ...args);
  const refused = await exportTo();
  expect(refused).toMatchObject({
    code: 1,
    stderr: `Error BadConfig: ${out} exists: pass --yes to replace it\n`,
  });
  const ended = await exportTo('--yes');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^Error StorageBroken: /);
  expect(ended.stderr).toContain(`${out}.partial-1 has all blocks but #5,`);
  expect(readFileSync(out, 'utf8')).toBe('kept\n');
  expect(readdirSync(base).filter((name) => name.startsWith('rest'))).toEqual([
    'rest.json',
    'rest.json.partial-1',
  ]);
  // The chain was sealed faster than real time, so the file starts with the chain line.
  const [, ...lines] = readFileSync(`${out}.partial-1`, 'utf8').trim().split('\n');
  const numbers = lines.map((line) => Number(JSON.parse(line).block.header.number));
  expect(numbers).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]);
}, 60_000);

it('if only a state is lost, the commands that repair prints restore every block', async () => {
  const third = join(base, 'third');
  const place = join(third, 'chains', 'development');
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const { blocks, aliceAccount } = await makeChain(join(place, 'tabnode.sqlite'), 32);
  const file = new DatabaseSync(join(place, 'tabnode.sqlite'));
  const { changes } = file.prepare('DELETE FROM nodes WHERE value = ?').run(hexToBytes(aliceAccount));
  expect(changes).toBe(1);
  file.close();
  const planned = await runProcess('repair', '--dry-run', '--base-path', third);
  expect(planned.stdout).toMatch(/blocks #\d+ to #32/);
  const steps = planned.stdout.split('\n').filter((line) => line.startsWith('  tabnode '));
  expect(steps).toEqual([
    `  tabnode export-blocks --base-path ${third} FILE`,
    `  tabnode import-blocks --base-path ${third} FILE`,
  ]);
  expect(planned.stdout).toContain('Blocks above one that cannot be exported cannot be imported again.');
  const out = join(base, 'third.jsonl');
  for (const args of [
    ['export-blocks', out],
    ['repair', '--yes'],
    ['import-blocks', '--json', out],
  ]) {
    const ended = await runProcess(...args, '--base-path', third);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    if (args[0] === 'import-blocks')
      expect(JSON.parse(ended.stdout)).toMatchObject({ bestNumber: 32, bestHash: blocks[32] });
  }
}, 60_000);

it('a chain in memory has nothing to repair', async () => {
  const ended = await repair('--tmp', '--json');
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stderr)).toMatchObject({ code: 'BadConfig' });
});
