import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { type Ended, runProcess, startProcess, startServe } from '../clients/test-process.fixture.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Files that others can read, and folders that hold a chain or keys and that others can enter. */
const openIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
  );

const chainIn = (folder: string): string => join(folder, 'chains', 'development');
const databaseIn = (folder: string): string => join(chainIn(folder), 'tabnode.sqlite');

const insertKey = (folder: string, ...more: readonly string[]): Promise<Ended> => {
  const suri = join(folder, 'suri');
  writeFileSync(suri, '//S///pw', { mode: 0o600 });
  const key = ['--key-type', 'aura', '--scheme', 'sr25519', '--suri', suri];
  return runProcess('key', 'insert', '-d', folder, '--chain', 'development', ...key, ...more);
};

// The process of the tests, and what it starts, let others read by default.
process.umask(0o022);

// Windows has no modes.
describe.skipIf(process.platform === 'win32')('others cannot read', () => {
  it('the files of a chain, while it runs and afterwards', { timeout: 120_000 }, async () => {
    const folder = newFolder();
    expect(await insertKey(folder)).toMatchObject({ code: 0 });
    expect(openIn(folder)).toEqual([]);
    const nodeKey = ['generate-node-key', '--chain', 'development', '-d', folder];
    expect(await runProcess('key', ...nodeKey)).toMatchObject({ code: 0 });
    const node = await startServe('--dev', '-d', folder);
    await callHttp(node.ready.http, 'author_insertKey', ['aura', '//S///pw', null]);
    const running = readdirSync(chainIn(folder));
    expect(running).toContain('tabnode.sqlite-wal');
    expect(openIn(folder)).toEqual([]);
    node.kill('SIGTERM');
    expect((await node.ended).code).toBe(0);
    expect(openIn(folder)).toEqual([]);
  });

  it('the files of a chain that an earlier version left open, which is said once', async () => {
    const folder = newFolder();
    await insertKey(folder);
    const [chain, database] = [chainIn(folder), databaseIn(folder)];
    chmodSync(chain, 0o755);
    writeFileSync(`${database}.damaged-1`, 'x', { mode: 0o644 });
    for (const file of [database, `${database}.damaged-1`]) chmodSync(file, 0o644);
    const first = await runProcess('chain-info', '--chain', 'development', '-d', folder, '--json');
    expect(first).toMatchObject({ code: 0 });
    expect(JSON.parse(first.stderr)).toEqual({
      event: 'notice',
      message: `Files in ${chain} could be read by other users of this machine; now only you can.`,
    });
    expect(openIn(folder)).toEqual([]);
    expect(await runProcess('chain-info', '--chain', 'development', '-d', folder)).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  it('the key of a bridge', async () => {
    const folder = newFolder();
    const start = async (): Promise<Ended> => {
      const ports = ['--ws-port', '0', '--rpc-port', '0', '--page', 'http://127.0.0.1:1/', '-d', folder];
      const bridge = startProcess('bridge', '--json', ...ports);
      await bridge.firstLine;
      bridge.kill('SIGTERM');
      return bridge.ended;
    };
    expect((await start()).stderr).toBe('');
    expect(openIn(folder)).toEqual([]);
    chmodSync(join(folder, 'bridge-key'), 0o644);
    expect((await start()).stderr).toContain('could be read by other users');
    expect(openIn(folder)).toEqual([]);
    expect((await start()).stderr).toBe('');
  });
});

/** Another user, whose links this one must not follow. */
const other = 12_345;
const isRoot = process.getuid?.() === 0;

describe.skipIf(process.platform === 'win32')('a symbolic link', () => {
  const run = (folder: string): Promise<Ended> =>
    runProcess('import-blocks', '--json', '--dev', '-d', folder, '/dev/null');

  it.each(['the chain', 'the database', 'the log'])(
    'in place of %s that leads nowhere, or to itself',
    async (what) => {
      const folder = newFolder();
      const place = {
        'the chain': chainIn(folder),
        'the database': databaseIn(folder),
        'the log': `${databaseIn(folder)}-wal`,
      }[what] as string;
      mkdirSync(join(place, '..'), { recursive: true });
      for (const target of [join(folder, 'elsewhere'), place]) {
        symlinkSync(target, place);
        const { code, stderr } = await run(folder);
        expect(code).toBe(1);
        expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
          code: 'BadConfig',
          message: `${place} is a symbolic link (to ${target}) that leads nowhere`,
        });
        expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
        rmSync(place);
      }
    },
  );

  it.skipIf(!isRoot)('of another user is refused, and its target keeps what is in it', async () => {
    const folder = newFolder();
    const database = databaseIn(folder);
    const target = join(folder, 'elsewhere');
    mkdirSync(chainIn(folder), { recursive: true });
    writeFileSync(target, '');
    symlinkSync(target, database);
    lchownSync(database, other, other);
    const { code, stderr } = await run(folder);
    expect(code).toBe(1);
    expect(stderr).toContain('that belongs to another user');
    expect(readFileSync(target).length).toBe(0);

    const key = join(folder, 'node-key');
    symlinkSync(target, key);
    lchownSync(key, other, other);
    const made = await runProcess('key', 'generate-node-key', '--file', key, '--yes');
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining('that belongs to another user') });
    expect(readFileSync(target).length).toBe(0);
  });

  it('of this user to a folder of this user is followed', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'disk'));
    mkdirSync(join(folder, 'chains'));
    symlinkSync(join(folder, 'disk'), chainIn(folder));
    expect(await insertKey(folder)).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, 'disk'))).toContain('tabnode.sqlite');
    expect(openIn(join(folder, 'disk'))).toEqual([]);
  });
});
