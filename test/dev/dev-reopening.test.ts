import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import { devReopening } from './dev-reopening.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-reopening-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

devReopening('node:sqlite', () => {
  const file = join(folder, `${files++}.db`);
  return { open: () => openSqliteDatabase(file) };
});
