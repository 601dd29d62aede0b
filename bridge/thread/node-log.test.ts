import { channel } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { parseServeArguments } from '../cli/arguments.ts';
import { callSocket } from '../clients/socket-clients.fixture.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { runServe, startServe } from '../clients/test-process.fixture.ts';

const still = ['--dev', '--seal', 'manual'];
/** What a node has written to stderr by the time an expected text has appeared. */
const stderrOf = async (
  flags: readonly string[],
  use: (http: string, ws: string) => Promise<unknown>,
  last?: RegExp,
) => {
  const node = await startServe(...still, ...flags);
  await use(node.ready.http, node.ready.ws);
  if (last !== undefined) await node.said(last);
  node.kill('SIGTERM');
  return (await node.ended).stderr;
};

it.each([
  [[], null],
  [['-l', 'rpc=debug'], { directives: 'rpc=debug', isDetailed: true }],
  [['-linfo', '--log', 'rpc=warn'], { directives: 'info,rpc=warn', isDetailed: false }],
  [['--detailed-log-output'], { directives: '', isDetailed: true }],
])('%j', (argv, log) => {
  expect(parseServeArguments(argv).log).toEqual(log);
});

it('logs nothing by default, and no client calls at info', async () => {
  for (const flags of [[], ['-l', 'info'], ['-l', 'debug,rpc=info']])
    expect(await stderrOf(flags, (http) => callHttp(http, 'system_chain'))).not.toContain('system_chain');
});

const detailed = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +[A-Z]+ [\w:.-]+: /;

describe('-l rpc', () => {
  it('debug: each call with its duration', async () => {
    const text = await stderrOf(
      ['-l', 'rpc=debug'],
      async (http, ws) => {
        await callHttp(http, 'system_chain');
        await callSocket(ws, 'no_such_method');
        await callHttp(http, 'system_name');
      },
      /system_name/,
    );
    expect(text).toMatch(/ DEBUG rpc: http \d+: system_chain \d+\.\d ms, \d+ characters\n/);
    expect(text).toMatch(/ DEBUG rpc: ws \d+: no_such_method \d+\.\d ms, .*-32601/);
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(detailed);
  });

  it('trace: each message, without secrets, and never at the start of a line', async () => {
    const text = await stderrOf(
      ['--log=rpc=trace'],
      async (http) => {
        await callHttp(http, 'author_insertKey', ['babe', '//topsecret', `0x${'00'.repeat(32)}`]);
        await callHttp(http, 'system_chain\n\u001b[31mforged');
        await callHttp(http, 'system_name');
      },
      /system_name/,
    );
    expect(text).toContain('TRACE rpc: http');
    expect(text).toContain('author_insertKey');
    expect(text).not.toContain('topsecret');
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(detailed);
    expect(text).not.toContain('\u001b');
  });
});

it('refuses invalid directives', async () => {
  const ended = await runServe(...still, '-l', 'rpc=loud');
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stderr)).toMatchObject({
    code: 'BadConfig',
    message: expect.stringContaining('the levels are off, error'),
  });
});

it("the node's own errors go through the log if it is enabled, unless their target is off", async () => {
  const { startNodeLog } = await import('./node-log.ts');
  const lines: string[] = [];
  const start = (directives: string) =>
    startNodeLog(
      () => Promise.reject(new Error('no port')),
      { directives, isDetailed: true },
      (line) => lines.push(`${directives}: ${line}`),
    );
  for (const directives of ['info', 'off', 'debug,node=off', 'off,node=error'])
    await expect(start(directives)).rejects.toThrow('no port');
  channel('tabnode:error').publish(new NodeError('StorageBroken', 'Disk on\nfire'));
  const line = (directives: string) =>
    expect.stringMatching(new RegExp(`^${directives}: .* ERROR node: StorageBroken: Disk on\\\\nfire$`));
  expect(lines).toEqual([line('info'), line('off,node=error')]);
});
