import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, it } from 'vitest';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { startServe, type TestProcess } from '../clients/test-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-serve-stop-'));
afterAll(() => rmSync(folder, { recursive: true }));

let node: TestProcess | null = null;
// If the process ignored SIGTERM, it would outlive the test.
afterEach(() => node?.kill('SIGKILL'));

const serve = async () => {
  const started = await startServe('--base-path', folder, '--seal', 'manual');
  node = started;
  return started;
};

const stop = ({ kill, ended }: TestProcess) => {
  kill('SIGTERM');
  return ended;
};

it('exits on SIGTERM with an error if the last write fails', async () => {
  expect((await stop(await serve())).code).toBe(0);
  const file = new DatabaseSync(join(folder, 'chains', 'development', 'tabnode.sqlite'));
  // Sealing writes to the journals. Trie nodes are moved from them to `nodes` when the node closes.
  file.exec(`CREATE TRIGGER damage BEFORE INSERT ON "nodes" BEGIN SELECT RAISE(ABORT, 'a bad page'); END`);
  file.close();
  const damaged = await serve();
  await callHttp(damaged.ready.http, 'dev_newBlock', []);
  const { code, stderr } = await stop(damaged);
  expect(code).toBe(1);
  const lines = stderr.trim().split('\n');
  expect(lines[0]).toBe('StorageBroken: SQLite: a bad page');
  expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ event: 'error', code: 'StorageBroken' });
});
