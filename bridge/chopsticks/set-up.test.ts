import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { toHex } from '../../src/scale/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { folderOf } from './arguments.ts';
import type { Request } from './request.ts';
import { prepareSetUp } from './set-up.ts';

const fileOf = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-set-up-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file');
  writeFileSync(path, text);
  return path;
};

/** A node whose runtime is `tabnode`, and which refuses the given method. Code that is given to it is of `next`. */
const createNode = (refused = '', next: object = { specName: 'westend' }) => {
  const called: string[] = [];
  const request: Request = async (method, params) => {
    called.push(method);
    if (method === refused) throw new NodeError('BadValue', 'refused');
    return { specName: 'tabnode', specVersion: 1, missing: [], ...(params.length > 1 ? next : {}) };
  };
  return { request, called };
};

it('refuses a runtime of another chain, and undoes what was changed before', async () => {
  const { request, called } = createNode();
  const setUp = await prepareSetUp({ 'wasm-override': fileOf('0x00'), timestamp: 1 });
  await expect(setUp(request)).rejects.toThrow('is a runtime of westend, and this chain is tabnode');
  expect(called).toEqual([
    'dev_snapshot',
    'dev_timeTravel',
    'dev_runtimeInfo',
    'dev_runtimeInfo',
    'dev_restore',
    'dev_deleteSnapshot',
  ]);
});

it('refuses a runtime that lacks host functions by their names, unless that is allowed', async () => {
  const { request, called } = createNode('', { missing: ['env.ext_a_version_1', 'env.ext_b_version_1'] });
  const options = { 'wasm-override': fileOf('0x00') };
  await expect((await prepareSetUp(options))(request)).rejects.toThrow(
    'does not have: env.ext_a_version_1, env.ext_b_version_1; with "allow-unresolved-imports: true"',
  );
  expect(called).not.toContain('dev_setStorage');
  await (await prepareSetUp({ ...options, 'allow-unresolved-imports': true }))(request);
  expect(called).toContain('dev_setStorage');
});

it('undoes the time if storage does not fit', async () => {
  const { request, called } = createNode('dev_setStorage');
  const setUp = await prepareSetUp({ 'import-storage': { Sudo: {} }, timestamp: 1 });
  await expect(setUp(request)).rejects.toThrow('import-storage: refused');
  expect(called.slice(-3)).toEqual(['dev_setStorage', 'dev_restore', 'dev_deleteSnapshot']);
});

it('goes on from the time of a chain that is resumed, if it is later', async () => {
  const db = join(mkdtempSync(join(tmpdir(), 'tabnode-set-up-')), 'db');
  mkdirSync(folderOf(db));
  onTestFinished(() => rmSync(folderOf(db), { recursive: true }));
  const now = Date.UTC(2030, 0, 1);
  const run = async (timestamp: number) => {
    const called: unknown[] = [];
    const told: string[] = [];
    const request: Request = async (method, params) => {
      if (method === 'state_getStorage') return toHex(new Writer(8).u64(BigInt(now)).finish());
      called.push([method, ...params]);
      return null;
    };
    await (await prepareSetUp({ db, resume: true, timestamp }, (text) => told.push(text)))(request);
    return { travels: called.filter((one) => String(one).startsWith('dev_timeTravel')), told };
  };
  for (const timestamp of [now, now - 1])
    expect(await run(timestamp)).toEqual({
      travels: [],
      told: [
        'timestamp: the chain that is resumed is at 2030-01-01T00:00:00.000Z already, and goes on from there',
      ],
    });
  expect(await run(now + 1)).toEqual({ travels: [['dev_timeTravel', now + 1]], told: [] });
});

it('asks nothing of a node without options', async () => {
  const { request, called } = createNode();
  await (await prepareSetUp({}))(request);
  expect(called).toEqual([]);
});

it('refuses files that are not what the option takes, before the node starts', async () => {
  await expect(prepareSetUp({ 'wasm-override': fileOf('0x0g') })).rejects.toThrow(
    'begins as hex, but is not',
  );
  await expect(prepareSetUp({ 'import-storage': fileOf('text') })).rejects.toThrow('has no map of pallets');
  await expect(prepareSetUp({ 'import-storage': '/none/at/all.yml' })).rejects.toThrow('cannot be read');
});

it('refuses pairs of keys and values that are not hex to the byte', async () => {
  const good = ['0x12', '0x'];
  for (const pair of [['0x1', '0x'], ['12', '0x'], ['0x12'], ['0x12', 1], ['0x12', '0x', '0x'], 'x', null])
    await expect(prepareSetUp({ 'import-storage': [good, pair] })).rejects.toThrow(
      'import-storage: entry 1 is no pair of a key and a value: write ["0x…", "0x…"]',
    );
  const { request, called } = createNode();
  await (await prepareSetUp({ 'import-storage': [good, ['0x12', null]] }))(request);
  expect(called).toContain('dev_setStorage');
});

it('refuses a text of hex that is longer than the engine can match', async () => {
  const path = fileOf(`0x${'00'.repeat(8_000_000)}g`);
  await expect(prepareSetUp({ 'wasm-override': path })).rejects.toThrow('begins as hex, but is not');
  const good = fileOf(`0x${'00'.repeat(8_000_000)}`);
  await expect(prepareSetUp({ 'wasm-override': good })).resolves.toBeTypeOf('function');
});
