import { describe, expect, it } from 'vitest';
import type { ReplayReport } from '../../src/protocol/replay.ts';
import { servingBlocks } from '../clients/serving.fixture.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { type Ended, runProcess, startProcess, startServe } from '../clients/test-process.fixture.ts';

const node = servingBlocks(3);

const fault = ({ code, stdout, stderr }: Ended): unknown => {
  expect([code, stdout]).toEqual([1, '']);
  return JSON.parse(stderr);
};

describe('run-block', () => {
  it('prints the root and what each phase did', async () => {
    const ended = await runProcess('run-block', node().ready.ws, '--block', '2');
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(
      /^#2 \(0x[0-9a-f]{64}\), tabnode \d+: same root 0x[0-9a-f]{64}\n {2}extrinsics: 1, execution: [\d.]+ ms, requests: \d+, [\d.]+ kB\n {2}initialization: .*\n {2}extrinsic 0: .*System\.ExtrinsicSuccess\n {2}finalization: [^\n]*\n$/,
    );
  });

  it('takes a hash, best or finalized over HTTP, and reports the changes as JSON', async () => {
    const of = async (...args: readonly string[]): Promise<ReplayReport> => {
      const ended = await runProcess('run-block', '--json', node().ready.http, ...args);
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      return JSON.parse(ended.stdout) as ReplayReport;
    };
    const best = await of('--block', 'best');
    expect(best).toMatchObject({ number: 3, isSame: true, difference: null, specName: 'tabnode' });
    expect(await of('--block', best.hash)).toMatchObject({ number: 3, computedRoot: best.stateRoot });
    expect(await of()).toMatchObject({ number: 3 });
    expect(best.phases?.[1]).toMatchObject({ phase: 'extrinsic 0', new: { timestamp: { didUpdate: true } } });
  });

  it('refuses what it cannot do in one sentence', async () => {
    const cases: readonly (readonly [args: readonly string[], code: string, text: string])[] = [
      [[node().ready.ws, '--block', '0'], 'Unsupported', 'Block #0 is not executed'],
      [[node().ready.ws, '--block', '4'], 'UnknownBlock', 'The chain has no block #4 yet'],
      [[node().ready.ws, '--block', `0x${'11'.repeat(32)}`], 'UnknownBlock', '0x1111'],
      [['http://127.0.0.1:1'], 'EndpointFailed', 'http://127.0.0.1:1'],
      [
        ['kusama', node().ready.ws],
        'EndpointUnfit',
        `${node().ready.ws} is not of Kusama: its genesis is 0x`,
      ],
    ];
    for (const [args, code, text] of cases)
      expect(fault(await runProcess('run-block', '--json', ...args))).toMatchObject({
        code,
        message: expect.stringContaining(text),
      });
  });
});

describe('follow', () => {
  it('executes 200 blocks of tabnode serve as they are made', async () => {
    const live = await startServe('--dev', '--seal', 'interval:20');
    const ended = await runProcess('follow', '--json', live.ready.ws, '--count', '200');
    live.kill('SIGTERM');
    await live.ended;
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const reports = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ReplayReport);
    expect(reports.map(({ isSame }) => isSame)).toEqual(Array(200).fill(true));
    const [first] = reports;
    expect(reports.map(({ number }) => number)).toEqual(
      reports.map((_, index) => (first?.number ?? 0) + index),
    );
  }, 60_000);

  it('refuses an endpoint that does not respond, and says when it no longer does', async () => {
    expect(fault(await runProcess('follow', '--json', 'http://127.0.0.1:1'))).toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringContaining('http://127.0.0.1:1'),
    });
    const live = await startServe('--dev', '--seal', 'manual');
    await callHttp(live.ready.http, 'engine_createBlock', [true, true]);
    const process = startProcess('follow', live.ready.ws);
    expect(await process.firstLine).toMatch(/^#1 .*: same root 0x/);
    live.kill('SIGTERM');
    await process.said(/EndpointFailed: .*127\.0\.0\.1/);
    process.kill('SIGINT');
    await Promise.all([process.ended, live.ended]);
  }, 60_000);

  it('ends at Ctrl+C, after the lines of the blocks so far', async () => {
    const process = startProcess('follow', node().ready.ws);
    expect(await process.firstLine).toMatch(/^#3 .*: same root 0x/);
    process.kill('SIGINT');
    expect((await process.ended).code).not.toBe(1);
  });
});
