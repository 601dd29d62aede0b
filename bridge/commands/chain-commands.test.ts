import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeChain } from '../../test/damage/damage-rig.ts';
import vectors from '../../test/vectors/chain.json' with { type: 'json' };
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import { decodeHeaderRecord, encodeHeaderRecord } from '../../worker/chain/records.ts';
import { encodeBody } from '../../worker/codec/block.ts';
import { blockHashToBytes } from '../../worker/codec/identity.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import { type Ended, runProcess, startServe } from '../clients/test-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-chain-commands-'));
const file = join(folder, 'blocks.jsonl');
const { blocks, genesisHash } = vectors;
const hashOf = (number: number): string => (blocks[number - 1] as (typeof blocks)[number]).hash;

/** The chain of the vectors, in its own base path. */
const placeOf = (name: string) => ['--chain', 'local_testnet', '--base-path', join(folder, name)] as const;
const place = placeOf('main');

const run = (command: string, ...args: readonly string[]): Promise<Ended> =>
  runProcess(command, ...place, ...args);
const json = async (ended: Promise<Ended>): Promise<unknown> => {
  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const fault = async (ended: Promise<Ended>): Promise<unknown> => {
  const { code, stdout, stderr } = await ended;
  expect([code, stdout]).toEqual([1, '']);
  return JSON.parse(stderr);
};

beforeAll(async () => {
  writeFileSync(file, blocks.map(({ block }) => JSON.stringify({ block, justifications: null })).join('\n'));
  const imported = await json(run('import-blocks', '--json', file));
  expect(imported).toMatchObject({ imported: 64, bestHash: hashOf(64) });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

it('chain-info prints what the SDK prints', async () => {
  const info = {
    best_hash: hashOf(64),
    best_number: 64,
    genesis_hash: genesisHash,
    finalized_hash: genesisHash,
    finalized_number: 0,
  };
  const { stdout } = await run('chain-info');
  expect(stdout).toBe(`${JSON.stringify(info, null, 2)}\n`);
  expect((await run('chain-info', '--json')).stdout).toBe(`${JSON.stringify(info)}\n`);
  const missing = runProcess('chain-info', '--json', ...placeOf('none'));
  expect(await fault(missing)).toMatchObject({ code: 'BadConfig' });
  expect(existsSync(join(folder, 'none'))).toBe(false);
}, 30_000);

describe('check-block', () => {
  it.each(['64', hashOf(64), hashOf(64).slice(2).toUpperCase()])('re-executes block %s', async (block) => {
    const { header, extrinsics } = (blocks[63] as (typeof blocks)[number]).block;
    expect(await json(run('check-block', '--json', block))).toEqual({
      number: 64,
      hash: hashOf(64),
      parentHash: header.parentHash,
      stateRoot: header.stateRoot,
      extrinsicsRoot: header.extrinsicsRoot,
      extrinsics: extrinsics.length,
      ms: expect.any(Number),
    });
  });

  it('says in words what it found', async () => {
    const { stdout } = await run('check-block', '1');
    const { stateRoot } = (blocks[0] as (typeof blocks)[number]).block.header;
    expect(stdout).toBe(`Block #1 (${hashOf(1)}) is valid. Extrinsics: 2. State root: ${stateRoot}\n`);
  });

  it.each([
    ['65', 'UnknownBlock', 'the best block is #64'],
    [`0x${'00'.repeat(32)}`, 'UnknownBlock', 'There is no block'],
    ['0', 'Unsupported', 'made from the specification'],
    ['0x12', 'BadConfig', 'neither the hash nor the number'],
  ])('refuses block %s', async (block, code, text) => {
    const message = expect.stringContaining(text);
    expect(await fault(run('check-block', '--json', block))).toMatchObject({ code, message });
  });

  it('detects a body and a state root that do not match the header', async () => {
    const bad = placeOf('bad');
    await json(runProcess('import-blocks', '--json', ...bad, file));
    const db = await openSqliteDatabase(join(folder, 'bad', 'chains', 'local_testnet', 'tabnode.sqlite'));
    const key = hexToBytes(hashOf(64));
    const { header, meta } = decodeHeaderRecord((await db.get('headers', key)) as Uint8Array);
    const body = (await db.get('bodies', key)) as Uint8Array;
    const forged = { ...header, stateRoot: header.parentHash };
    const hash = hashHeader(await loadCrypto(), forged);
    await db.write({
      puts: [
        ['bodies', key, encodeBody([])],
        ['headers', blockHashToBytes(hash), encodeHeaderRecord(forged, meta)],
        ['bodies', blockHashToBytes(hash), body],
      ],
      deletes: [],
    });
    await db.close();
    const check = (block: string) => fault(runProcess('check-block', '--json', ...bad, block));
    expect(await check('64')).toMatchObject({ code: 'ExtrinsicsRootMismatch' });
    expect(await check(hash)).toMatchObject({
      code: 'BadBlock',
      message: expect.stringContaining('Block #64: execution failed'),
    });
    expect(await json(runProcess('check-block', '--json', ...bad, '63'))).toMatchObject({ number: 63 });
  }, 60_000);
});

describe('revert', () => {
  it('removes the topmost blocks, which can be imported again', async () => {
    const own = placeOf('reverted');
    await json(runProcess('import-blocks', '--json', ...own, file));
    const unasked = runProcess('revert', '--json', ...own, '10');
    expect(await fault(unasked)).toMatchObject({ code: 'BadConfig', message: 'Not interactive: pass --yes' });
    expect(await json(runProcess('revert', '--json', '--yes', ...own, '10'))).toEqual({
      reverted: 10,
      bestNumber: 54,
      bestHash: hashOf(54),
      finalizedNumber: 0,
    });
    for (const block of ['60', hashOf(60)])
      expect(await fault(runProcess('check-block', '--json', ...own, block))).toMatchObject({
        code: 'UnknownBlock',
      });
    const again = await json(runProcess('import-blocks', '--json', ...own, file));
    expect(again).toMatchObject({ imported: 10, known: 54, bestHash: hashOf(64) });
    const { stdout } = await runProcess('revert', ...own, '-y');
    expect(stdout).toBe(`Reverted 64 blocks. Best: #0 (${genesisHash})\n`);
  }, 60_000);

  it('keeps finalized blocks', async () => {
    const base = join(folder, 'finalized');
    const chain = join(base, 'chains', 'development');
    mkdirSync(chain, { recursive: true, mode: 0o700 });
    const made = await makeChain(join(chain, 'tabnode.sqlite'), 12);
    const info = (await json(runProcess('chain-info', '--base-path', base))) as { finalized_number: number };
    const { finalized_number: finalizedNumber } = info;
    expect(finalizedNumber).toBeGreaterThan(0);
    expect(finalizedNumber).toBeLessThan(12);
    expect(await json(runProcess('revert', '--json', '-y', '--base-path', base))).toEqual({
      reverted: 12 - finalizedNumber,
      bestNumber: finalizedNumber,
      bestHash: made.blocks[finalizedNumber],
      finalizedNumber,
    });
    const nothing = await runProcess('revert', '--base-path', base);
    expect(nothing.stdout).toBe(`There are no blocks to revert: block #${finalizedNumber} is finalized.\n`);
  }, 60_000);
});

it('purge-chain deletes an unused chain after confirmation', async () => {
  const own = placeOf('purged');
  const chains = join(folder, 'purged', 'chains');
  await json(runProcess('import-blocks', '--json', ...own, file));
  const purge = (...args: readonly string[]): Promise<Ended> => runProcess('purge-chain', ...own, ...args);
  expect(await fault(purge('--json'))).toMatchObject({ code: 'BadConfig' });
  const served = await startServe(...own, '--seal', 'manual');
  expect(await fault(purge('--json', '-y'))).toMatchObject({ code: 'ChainInUse' });
  served.kill('SIGTERM');
  await served.ended;
  expect(readdirSync(chains)).toEqual(['local_testnet']);
  expect(await purge('-y')).toEqual({
    code: 0,
    stdout: `Removed the chain in ${join(chains, 'local_testnet')}\n`,
    stderr: '',
  });
  expect(readdirSync(chains)).toEqual([]);
  expect(await json(purge('-y', '--json'))).toEqual({ removed: [], folder: join(chains, 'local_testnet') });
}, 60_000);

it('purge-chain deletes a damaged chain and keeps other files', async () => {
  const chain = join(folder, 'broken', 'chains', 'local_testnet');
  mkdirSync(chain, { recursive: true });
  for (const name of ['tabnode.sqlite', 'tabnode.sqlite.damaged-1', 'notes.txt'])
    writeFileSync(join(chain, name), 'not a database');
  expect(await json(runProcess('purge-chain', '-y', '--json', ...placeOf('broken')))).toEqual({
    removed: ['tabnode.sqlite', 'tabnode.sqlite.damaged-1'],
    folder: chain,
  });
  expect(readdirSync(chain)).toEqual(['notes.txt']);
});

describe('standard input and output', () => {
  const program = fileURLToPath(new URL('../tabnode.ts', import.meta.url));
  const startImport = () => {
    const args = [program, 'import-blocks', '--json', '--chain', 'local_testnet', '--tmp'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (part: string) => {
        texts[name] += part;
      });
    return { stdin: child.stdin, ended: once(child, 'close').then(([code]) => ({ code, ...texts })) };
  };

  it('export-blocks writes what import-blocks reads', async () => {
    const { stdout } = await run('export-blocks', '--from', '1', '--to', '12');
    expect(stdout.trimEnd().split('\n')).toHaveLength(12);
    const { stdin, ended } = startImport();
    stdin.end(stdout);
    expect(await json(ended)).toMatchObject({ imported: 12, bestHash: hashOf(12) });
  }, 30_000);

  it('import-blocks stops at a refused block, even if its input stays open', async () => {
    const { stdin, ended } = startImport();
    stdin.on('error', () => undefined);
    stdin.write(`${JSON.stringify(blocks[4])}\n`);
    expect(await fault(ended)).toMatchObject({ code: 'UnknownParent' });
  }, 30_000);

  it('export-blocks refuses a range above the best block', async () => {
    expect(await fault(run('export-blocks', '--json', '--from', '65'))).toMatchObject({
      code: 'BadConfig',
      message: '--from 65: the best block is #64',
    });
  });
});
