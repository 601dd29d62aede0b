import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../tabnode.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tabnode-read-only-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Root may write anywhere, so as root these tests run the command as an unprivileged user. */
const asUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The error that the command exits with. */
const fail = (...args: readonly string[]): Promise<{ readonly code: string; readonly message: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...asUser,
    });
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.on('error', reject);
    // A notice about files that others can read comes first.
    child.on('close', () => resolve(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')));
  });

/** A base path with an empty database, writable by everyone. */
const layOut = (name: string) => {
  const base = join(folder, name);
  const chain = join(base, 'chains', 'development');
  const database = join(chain, 'tabnode.sqlite');
  mkdirSync(chain, { recursive: true });
  writeFileSync(database, '');
  const paths = { base, chains: join(base, 'chains'), chain, database };
  for (const path of [folder, ...Object.values(paths)]) chmodSync(path, 0o777);
  return paths;
};

const canRun =
  spawnSync(process.execPath, ['-e', `require('fs').accessSync(${JSON.stringify(program)})`], asUser)
    .status === 0;

// If only root may enter the program's folder, the command cannot run as another user.
describe.skipIf(!canRun)('a read-only base path', () => {
  it.each(['chain', 'database'] as const)('is named in the error if the %s is read-only', async (which) => {
    const paths = layOut(which);
    chmodSync(paths[which], 0o555);
    for (const command of [['serve'], ['import-blocks', program]]) {
      const { code, message } = await fail(...command, '--json', '--base-path', paths.base);
      expect(code).toBe('StorageReadOnly');
      expect(message).toBe(`${paths[which]} is read-only: this node may not write there`);
    }
  });

  it('is named in the error if no folder can be created in it', async () => {
    const { base, chains, chain } = layOut('no-folder');
    rmSync(chain, { recursive: true });
    chmodSync(chains, 0o555);
    const { code, message } = await fail('serve', '--json', '--base-path', base);
    expect(code).toBe('StorageReadOnly');
    expect(message).toBe(`${chain} cannot be created: this node may not write there`);
  });
});
