import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from './new-file.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-folders-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

it('creates folders that others create at the same time', async () => {
  for (let round = 0; round < 50; round++) {
    const folder = join(newFolder(), 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 10 }, (_, index) => createFolder(join(folder, `${index % 3}`))));
    expect(statSync(join(folder, '2')).isDirectory()).toBe(true);
  }
});

it('rejects with the error of the folder that cannot be created', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(createFolder(join(folder, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  if (process.platform === 'linux')
    await expect(createFolder('/proc/none/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
});
