import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplayReport } from '../../src/protocol/replay.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { orderedRoot } from '../../worker/trie/ordered-root.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { runProcess, startServe } from '../clients/test-process.fixture.ts';
import { startAlteredNode } from './altered-node.fixture.ts';

/** Packs of blocks that differ: what `--save` writes, `run-block --pack` executes without a network. */

const folder = mkdtempSync(join(tmpdir(), 'tabnode-packs-'));
let node: Awaited<ReturnType<typeof startServe>>;
let before: string;
beforeAll(async () => {
  node = await startServe('--dev', '--seal', 'manual');
  for (let block = 0; block < 3; block++) await callHttp(node.ready.http, 'engine_createBlock', [true, true]);
  before = (await callHttp(node.ready.http, 'chain_getBlockHash', [2])) as string;
}, 60_000);
afterAll(async () => {
  node.kill('SIGTERM');
  await node.ended;
  rmSync(folder, { recursive: true });
});

const { blake2b256 } = await loadCrypto();

/** The best block with the state root of the one before it, whose state is there to be compared. */
const withOldRoot = async () => {
  const { stateRoot } = (await callHttp(node.ready.http, 'chain_getHeader', [before])) as {
    stateRoot: string;
  };
  return startAlteredNode(
    node.ready.http,
    (block) => ({ ...block, header: { ...block.header, stateRoot } }),
    before,
  );
};

/** The best block with one bit of its last extrinsic flipped. */
const withOtherExtrinsic = () =>
  startAlteredNode(node.ready.http, ({ header, extrinsics }) => {
    const changed = extrinsics.map((text) => hexToBytes(text).slice());
    const last = changed.at(-1) as Uint8Array;
    last[1] = (last[1] as number) ^ 0x80;
    const extrinsicsRoot = bytesToHex(orderedRoot(blake2b256, changed, 0));
    return { header: { ...header, extrinsicsRoot }, extrinsics: changed.map(bytesToHex) };
  });

/** The last line of a run, without what differs each time. */
const reportOf = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runProcess(...args, '--json');
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as ReplayReport;
  const { requests, bytes: _bytes, executionMs: _ms, phases, ...rest } = report;
  const lasting = { ...rest, phases: phases?.map(({ ms: _own, ...phase }) => phase) ?? null };
  return { code, stderr, requests, report: lasting };
};

describe.each([
  ['with another state root', withOldRoot, 'finalization', /^the state root differs: \d+ values differ$/],
  [
    'with an altered extrinsic',
    withOtherExtrinsic,
    'extrinsic 0',
    /^(the runtime refuses|its execution fails)/,
  ],
] as const)('a block %s', (name, start, phase, why) => {
  it('is saved, and its pack shows the same difference without a network', async () => {
    const file = join(folder, `${name}.pack`);
    const altered = await start();
    const first = await reportOf('run-block', altered.url, '--block', 'best', '--save', file);
    expect(first).toMatchObject({ code: 1, report: { hash: altered.hash, isSame: false } });
    expect(first.stderr).toContain('The block is saved in');
    expect(first.report.difference?.why).toMatch(why);
    expect(first.report.phases?.map((one) => one.phase)).toContain(phase);
    await altered.stop();
    const again = await reportOf('run-block', '--pack', file);
    expect(again).toEqual({ code: 1, stderr: '', requests: 0, report: first.report });
  });
});

it('follow saves the block at which it stops', async () => {
  const file = join(folder, 'follow.pack');
  const altered = await withOldRoot();
  const first = await reportOf('follow', altered.url, '--finalized', '--stop', '--save', file);
  await altered.stop();
  expect(first).toMatchObject({ code: 1, report: { hash: altered.hash, isSame: false } });
  const { code, report } = await reportOf('run-block', '--pack', file);
  expect([code, report.difference]).toEqual([1, first.report.difference]);
});

it('a block that is the same is not saved', async () => {
  const file = join(folder, 'same.pack');
  const { code, report } = await reportOf('run-block', node.ready.http, '--save', file);
  expect([code, report.isSame, existsSync(file)]).toEqual([0, true, false]);
});

it('refuses what cannot be one', async () => {
  const file = join(folder, 'follow.pack');
  const bytes = readFileSync(file);
  const damaged = join(folder, 'damaged.pack');
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
  writeFileSync(damaged, bytes);
  const cases: readonly (readonly [args: readonly string[], code: string, text: string])[] = [
    [['run-block', '--pack', damaged], 'BadValue', 'This is not a pack of a block, or it is damaged'],
    [
      ['fork', '--pack', file],
      'BadValue',
      'This is a pack of a block, and not a pack of a fork: it is opened by tabnode run-block --pack',
    ],
    [['run-block', '--pack', join(folder, 'none')], 'BadConfig', 'cannot be read'],
    [['run-block', node.ready.http, '--pack', file], 'BadConfig', 'leave out endpoints'],
    [['run-block', node.ready.http, '--save', file], 'BadConfig', 'exists'],
    [['follow', node.ready.http, '--save', join(folder, 'x')], 'BadConfig', 'add --stop'],
  ];
  for (const [args, code, text] of cases) {
    const ended = await runProcess(...args, '--json');
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stderr)).toMatchObject({ code, message: expect.stringContaining(text) });
  }
});
