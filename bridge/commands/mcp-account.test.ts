import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { saveAccount } from '../../src/accounts/save-account.ts';
import { pairOfUri } from '../../src/accounts/uri-pair.ts';
import { parseMcpArguments } from '../cli/mcp-arguments.ts';
import { openAgentAccounts } from '../mcp/account.ts';
import { startClient, transfer } from './mcp.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-mcp-account-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [file, passwordFile] = [join(folder, 'mine.json'), join(folder, 'password')];
writeFileSync(file, saveAccount(await pairOfUri('//Bob', 'sr25519'), { name: 'Treasurer' }, 'pw'));
writeFileSync(passwordFile, 'pw\n');

it('agents sign with the JSON account that the server was given, by its name', async () => {
  const flags = ['--account', file, '--account-password-filename', passwordFile];
  const mcp = await startClient('--dev', '--allow-writes', ...flags);
  onTestFinished(() => mcp.close());
  const { json } = await mcp.call('submit_call', { ...transfer, from: 'treasurer' });
  expect(json).toMatchObject({ status: 'inBlock', outcome: { kind: 'ok' } });
  const other = await mcp.call('submit_call', { ...transfer, from: `0x${'11'.repeat(32)}` });
  expect(other.text).toContain('Treasurer');
});

it.each([
  [['--account', 'a', '--account-password-filename', 'b'], 'requires --allow-writes'],
  [['--account', 'a', '--allow-writes'], 'go together'],
])('%j is refused', (argv, text) => {
  expect(() => parseMcpArguments(argv)).toThrow(text);
});

it('a wrong password is refused', async () => {
  const wrong = join(folder, 'wrong');
  writeFileSync(wrong, 'no');
  await expect(openAgentAccounts({ file, passwordFile: wrong })).rejects.toMatchObject({
    code: 'WrongPassword',
  });
});

it('a file of 50 MB is refused for its size', async () => {
  const large = join(folder, 'large.json');
  writeFileSync(large, new Uint8Array(50_000_000));
  await expect(openAgentAccounts({ file: large, passwordFile: file })).rejects.toMatchObject({
    code: 'LimitReached',
    message: expect.stringContaining('50 MB'),
  });
});
