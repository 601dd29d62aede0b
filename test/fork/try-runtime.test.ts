import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RehearsalOptions, RehearsalReport } from '../../src/protocol/rehearsal.ts';
import { entryPrefix } from '../../src/scale/storage.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { codeKey } from '../../worker/chain/genesis/genesis.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { rehearseUpgrade } from '../../worker/dev/rehearsal/rehearse.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import type { Node } from '../../worker/node.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { type Assembler, buildMigratingRuntime, type Migration } from '../rigs/migrating-runtime.ts';
import { loadNextRuntime } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { openForkOf } from './fork-rig.ts';

const crypto = await loadCrypto();

let live: DevNode;
let fork: Node;
beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < 4; block++) await live.call('engine_createBlock', true, true);
  ({ node: fork } = await openForkOf(live.node, { block: 'best', keys: [] }));
});
afterAll(async () => {
  await fork.close();
  await live.stop();
});

type Rehearsed = Awaited<ReturnType<typeof rehearseUpgrade>>;

const rehearse = (code: Uint8Array, options: Partial<RehearsalOptions> = {}): Promise<Rehearsed> =>
  rehearseUpgrade({ ...fork.parts, zstd: zstdCompressSync }, fork.parts.chain.best().hash, code, {
    maxBlocks: 10,
    ...options,
  });

const rehearseMigration = async (
  write: (assembler: Assembler) => Migration,
  options: Partial<RehearsalOptions> = {},
): Promise<Rehearsed> => rehearse(await buildMigratingRuntime(crypto, write), options);

const item = (pallet: string, name: string): Uint8Array => hexToBytes(entryPrefix(pallet, name));
const weights = (...numbers: readonly bigint[]): Uint8Array =>
  numbers.reduce((out, number) => out.compact(number), new Writer(64)).finish();
const billion = 1_000_000_000n;
const text = (report: Pick<RehearsalReport, 'problems'>): string => report.problems.join('\n');

describe('the default runtime to its next version', () => {
  it('has no problems, and builds the block of the upgrade and three more', async () => {
    const { hash } = fork.parts.chain.best();
    const report = await rehearse(await loadNextRuntime());
    expect(report).toMatchObject({
      block: { number: 4, hash },
      specName: 'tabnode',
      specVersion: { before: 101, after: 102 },
      checks: null,
      multiBlock: null,
      problems: [],
      notes: [],
    });
    expect(report.blocks?.map(({ number }) => number)).toEqual([5, 6, 7, 8]);
    for (const { proof } of [...(report.blocks ?? []), ...(report.migration ? [report.migration] : [])]) {
      expect(proof.compact).toBeLessThan(proof.plain);
      expect(proof.zstd).toBeLessThan(proof.compact);
      // A solo chain's blocks carry no proof.
      expect(proof).toMatchObject({ limit: null, isOver: false });
    }
    expect(report.migration?.weight?.refTime).toMatchObject({ limit: '2000000000000', isOver: false });
    // The chain did not change.
    expect(fork.parts.chain.best().hash).toBe(hash);
  });

  it('takes the same time and again no requests', async () => {
    const requests = fork.parts.fork?.origin?.stats().requests;
    await rehearse(await loadNextRuntime());
    expect(fork.parts.fork?.origin?.stats().requests).toBe(requests);
  });

  it('computes the state roots of the blocks that a fork builds after its code was replaced', async () => {
    const code = await loadNextRuntime();
    const { node, call } = await openForkOf(live.node, { block: 'best', keys: [] });
    const report = await rehearse(code);
    await call('dev_setStorage', [[bytesToHex(codeKey), bytesToHex(code)]]);
    const roots: string[] = [];
    for (let block = 0; block < 4; block++) {
      await sealOn(node);
      roots.push((await call<{ stateRoot: string }>('chain_getHeader')).stateRoot);
    }
    expect(report.blocks?.map(({ stateRoot }) => stateRoot)).toEqual(roots);
    await node.close();
  });

  it('is the same on a chain that is no fork', async () => {
    const { chain } = live.node.parts;
    const report = await rehearseUpgrade(
      { ...live.node.parts, zstd: null },
      chain.best().hash,
      await loadNextRuntime(),
      { maxBlocks: 1 },
    );
    expect(report.problems).toEqual([]);
    expect(report.blocks?.[0]?.proof.zstd).toBeNull();
  });
});

describe('checks', () => {
  const result = weights(5n * billion, 100n, 2000n * billion, 0xffff_ffff_ffff_ffffn);

  it('run with the selection, and return what the migrations weigh', async () => {
    const report = await rehearseMigration(({ result: write }) => ({ checks: write(result) }));
    expect(report.checks).toMatchObject({
      selected: 'pre-and-post',
      failure: null,
      weight: {
        refTime: { used: '5000000000', limit: '2000000000000', isOver: false },
        proofSize: { used: '100', limit: null, isOver: false },
      },
    });
    expect(report.problems).toEqual([]);
    expect(
      (await rehearseMigration(({ result: write }) => ({ checks: write(result) }), { checks: 'try-state' }))
        .checks,
    ).toMatchObject({ selected: 'try-state' });
  });

  it('that fail are named, and the rest is rehearsed all the same', async () => {
    const report = await rehearseMigration(({ trap }) => ({ checks: trap }));
    expect(text(report)).toMatch(
      /^The upgrade fails its checks \(pre-and-post\): it traps \(.*unreachable.*\)\.$/,
    );
    expect(report.blocks).toHaveLength(4);
  });

  it('that say that the migrations are over weight are named', async () => {
    const heavy = weights(3000n * billion, 0n, 2000n * billion, 0n);
    const report = await rehearseMigration(({ result: write }) => ({ checks: write(heavy) }));
    expect(text(report)).toBe(
      'The migration weighs more time than a block may (ref_time): 3000000000000, and the limit is 2000000000000.',
    );
  });

  it('that never end are named', async () => {
    const code = await buildMigratingRuntime(crypto, ({ loop, trap }) => ({ checks: [...loop, ...trap] }));
    // Of the fuel that it may burn, so little that the test takes a moment.
    const executor = createExecutor({ crypto }, { fuel: { sealed: 50_000_000n, import: 50_000_000n } });
    const deps = { ...fork.parts, executor, zstd: null };
    const report = await rehearseUpgrade(deps, fork.parts.chain.best().hash, code, { maxBlocks: 1 });
    expect(text(report)).toContain('it runs out of fuel, so it loops');
  });
});

describe('a migration', () => {
  it('is reported with what it alone changes', async () => {
    const key = item('Sudo', 'Key');
    const report = await rehearseMigration(({ write }) => ({
      before: write(key, new Uint8Array(32).fill(7)),
    }));
    expect(report.migration?.changes).toEqual([{ pallet: 'Sudo', item: 'Key', written: 1, removed: 0 }]);
    expect(report.migration?.old).toEqual({ sudo: { key: expect.stringMatching(/^5Grw/) } });
    expect(report.migration?.new).toEqual({ sudo: { key: expect.stringMatching(/^5/) } });
    expect(report.problems).toEqual([]);
  });

  it('is reported by storage item, also where only the pallet is known, or nothing', async () => {
    const version = concatBytes(
      item('Sudo', 'Key').subarray(0, 16),
      hexToBytes('0x4e7b9012096b41c4eb3aaf947f6ea429'),
    );
    const report = await rehearseMigration(({ write }) => ({
      before: [version, item('Sudo', 'Gone'), item('Strange', 'Item')].flatMap((key) =>
        write(key, Uint8Array.of(1, 0)),
      ),
    }));
    const counts = { written: 1, removed: 0 };
    expect(report.migration?.changes).toHaveLength(3);
    expect(report.migration?.changes).toEqual(
      expect.arrayContaining([
        { pallet: 'Sudo', item: ':__STORAGE_VERSION__:', ...counts },
        { pallet: 'Sudo', item: null, ...counts },
        { pallet: bytesToHex(item('Strange', 'Item').subarray(0, 16)), item: null, ...counts },
      ]),
    );
  });

  it('that traps is named: the chain would stop', async () => {
    const report = await rehearseMigration(({ trap }) => ({ before: trap }));
    expect(text(report)).toMatch(
      /^on_runtime_upgrade fails, and the chain would stop before block #5: it traps/,
    );
    expect(report).toMatchObject({ migration: null, blocks: null });
  });

  it('that replaces the code again is named: the chain would not run the code that is rehearsed', async () => {
    const report = await rehearseMigration(({ write }) => ({
      after: write(codeKey, Uint8Array.of(1, 2, 3)),
    }));
    expect(text(report)).toBe(
      'Block #5 replaces the code of the chain (:code) with another one: rehearse that one.',
    );
  });

  it('over weight is named with its weight and the limit', async () => {
    const heavy = weights(0n, 0n, 0n, 0n, 2500n * billion, 0n);
    const report = await rehearseMigration(({ write }) => ({
      after: write(item('System', 'BlockWeight'), heavy),
    }));
    expect(report.problems).toEqual([
      expect.stringMatching(
        /^The migration weighs more time than a block may \(ref_time\): 2\d{12}, and the limit is 2000000000000\.$/,
      ),
      expect.stringMatching(
        /^Block #5 weighs more time than a block may \(ref_time\): 25\d{11}, and the limit is 2000000000000\.$/,
      ),
    ]);
  });
});

describe('multi-block migrations', () => {
  const cursor = item('MultiBlockMigrations', 'Cursor');
  /** Active, its index, no inner cursor, the block of its begin. */
  const active = (index: number): Uint8Array => Uint8Array.of(0, index, 0, 0, 0, 0, 5, 0, 0, 0);

  it('are followed to their end', async () => {
    const report = await rehearseMigration(({ write, countDown }) => ({
      after: write(cursor, active(3)),
      step: countDown(cursor, 10),
    }));
    expect(report.multiBlock).toEqual({ pallet: 'MultiBlockMigrations', blocks: 4, outcome: 'completed' });
    expect(report.problems).toEqual([]);
    expect(report.blocks?.map(({ isMigrating }) => isMigrating)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('that do not end are named after a number of blocks', async () => {
    const report = await rehearseMigration(({ write }) => ({ after: write(cursor, active(2)) }), {
      maxBlocks: 6,
    });
    expect(report.multiBlock).toMatchObject({ blocks: 6, outcome: 'unfinished' });
    expect(text(report)).toBe(
      'The multi-block migrations do not end within 6 blocks. Migration 2 is at work. If they need more, raise the number of blocks (max blocks).',
    );
  });

  it('that are stuck are named', async () => {
    const report = await rehearseMigration(({ write }) => ({ after: write(cursor, Uint8Array.of(1)) }));
    expect(report.multiBlock).toMatchObject({ outcome: 'failed' });
    expect(text(report)).toContain(
      'A multi-block migration is stuck at block #5 (MultiBlockMigrations.Cursor)',
    );
  });
});
