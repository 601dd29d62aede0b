import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { buildKey, isBuilt, writeKey } from './build-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-key-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

describe('key of a build', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('follows the names and contents of files in folders, and neither tests nor what tools write', () => {
    mkdirSync(join(folder, 'ui'));
    mkdirSync(join(folder, 'dist'));
    write('ui/a.ts', 'one');
    const first = buildKey(folder);
    write('dist/a.js', 'built');
    write('ui/a.test.ts', 'a test');
    expect(buildKey(folder)).toBe(first);
    write('ui/a.ts', 'two');
    const second = buildKey(folder);
    expect(second).not.toBe(first);
    renameSync(join(folder, 'ui/a.ts'), join(folder, 'ui/b.ts'));
    expect(buildKey(folder)).not.toBe(second);
    vi.stubEnv('VITE_PACKAGED', '1');
    const packaged = buildKey(folder);
    vi.unstubAllEnvs();
    expect(packaged).not.toBe(buildKey(folder));
  });

  it('is that of a folder which was built of these files', () => {
    const out = join(folder, 'dist', 'app');
    writeKey(out, 'k1');
    expect(isBuilt(out, 'k1')).toBe(false);
    mkdirSync(out);
    expect([isBuilt(out, 'k1'), isBuilt(out, 'k2')]).toEqual([true, false]);
  });
});
