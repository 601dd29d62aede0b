import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ended, runProcess } from '../clients/test-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-chain-places-'));
afterAll(() => rmSync(folder, { recursive: true }));

let spec: Record<string, unknown>;
beforeAll(async () => {
  const { stdout } = await runProcess('build-spec', '--chain', 'development', '--raw');
  spec = JSON.parse(stdout) as Record<string, unknown>;
}, 60_000);

const infoOf = (base: string, changes: object): Promise<Ended> => {
  const file = join(folder, 'spec.json');
  writeFileSync(file, JSON.stringify({ ...spec, ...changes }));
  const place = ['--chain', file, '--base-path', join(folder, base)];
  // Writes block 0 and nothing else.
  const empty = join(folder, 'empty');
  writeFileSync(empty, '');
  return runProcess('import-blocks', '--json', ...place, empty);
};
const otherGenesis = () => ({
  genesis: { raw: { top: { ...topOf(), '0x00': '0x00' }, childrenDefault: {} } },
});
const topOf = (): object => (spec['genesis'] as { raw: { top: object } }).raw.top;

it('a second chain in the same folder is refused by its id', async () => {
  expect(await infoOf('shared', { id: 'a b' })).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await infoOf('shared', { id: 'a\u0000b', ...otherGenesis() });
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'BadSpec',
    message: 'The database holds a chain made from another specification than that of "a\\u{0}b"',
  });
  expect(readdirSync(join(folder, 'shared', 'chains'))).toEqual(['a_b']);
}, 60_000);

it.each([
  ['an empty id', { id: '' }, 'Chain specification: its id is empty'],
  ['an id of 5,000 characters', { id: 'i'.repeat(5000) }, 'has 5000 characters; 255 are allowed'],
])(
  '%s is refused, and leaves nothing behind',
  async (_, changes, message) => {
    const { code, stderr } = await infoOf('none', changes);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'BadSpec', message: expect.stringContaining(message) });
    expect(readdirSync(folder)).not.toContain('none');
  },
  60_000,
);

it('fields without effect are named on stderr', async () => {
  const { code, stderr } = await infoOf('named', { badBlock: [] });
  expect(code).toBe(0);
  expect(stderr).toBe('Unsupported: The chain specification has fields without effect: "badBlock"\n');
}, 60_000);
