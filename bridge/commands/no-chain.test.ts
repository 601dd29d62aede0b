import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProcess } from '../clients/test-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-no-chain-'));
afterAll(() => rmSync(folder, { recursive: true }));
const out = join(folder, 'out.jsonl');

it.each([
  ['export-blocks', [out]],
  ['repair', ['--dry-run']],
])('%s fails if there is no chain, and creates no files', async (command, rest) => {
  const base = join(folder, 'mistyped');
  const { code, stdout, stderr } = await runProcess(command, '--base-path', base, ...rest);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`Error BadConfig: There is no chain in ${join(base, 'chains', 'development')}\n`);
  expect(readdirSync(folder)).toEqual([]);
});

it('names the chains and forks that a base path has instead, and a fork by its folder', async () => {
  const base = mkdtempSync(join(tmpdir(), 'tabnode-other-chain-'));
  const name = 'fork_rpc.example_finalized';
  mkdirSync(join(base, 'chains', name), { recursive: true });
  writeFileSync(join(base, 'chains', name, 'tabnode.sqlite'), '');
  const missing = `There is no chain in ${join(base, 'chains', 'development')}; the base path holds ${name}\n`;
  const info = await runProcess('chain-info', '--base-path', base);
  expect([info.code, info.stderr]).toEqual([1, `Error BadConfig: ${missing}`]);
  const kept = await runProcess('purge-chain', '--base-path', base, '--yes');
  expect([kept.code, kept.stdout]).toEqual([0, missing]);
  const purged = await runProcess('purge-chain', '--base-path', base, '--yes', '--chain', name);
  expect([purged.code, readdirSync(join(base, 'chains'))]).toEqual([0, []]);
  rmSync(base, { recursive: true });
});

it.each(['--tmp', '--dev'])('export-blocks %s is refused: there is nothing to export', async (flag) => {
  const { code, stderr } = await runProcess('export-blocks', flag, out);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error BadConfig: export-blocks needs a chain on disk/);
  expect(existsSync(out)).toBe(false);
});

it('a base path below a file is refused as an invalid setting', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const { code, stderr } = await runProcess('serve', '--base-path', join(file, 'below'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error BadConfig: .* a file is in its way\n$/);
});
