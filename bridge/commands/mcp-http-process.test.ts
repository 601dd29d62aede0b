import { afterEach, expect, it, vi } from 'vitest';
import { runProcess, startProcess } from '../clients/test-process.fixture.ts';
import { startHttp } from './mcp.fixture.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const statusOf = async (url: string, token?: string): Promise<number> => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(list) });
  await response.text();
  return response.status;
};

it.each(['SIGTERM', 'SIGINT'] as const)('prints its address and token, and exits on %s', async (signal) => {
  const server = await startHttp('--dev');
  const { url, token } = server.ready;
  expect(server.ready).toEqual({
    event: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
    token: expect.stringMatching(/^[\w-]{32}$/),
    allowsWrites: false,
  });
  expect(await statusOf(url)).toBe(401);
  expect(await statusOf(url, token ?? '')).toBe(200);
  server.kill(signal);
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});

it('takes the token from the environment, and does not print it', async () => {
  vi.stubEnv('TABNODE_MCP_TOKEN', 'mine-and-of-nobody-else');
  const server = await startHttp('--dev');
  expect(server.ready).not.toHaveProperty('token');
  expect(await statusOf(server.ready.url, 'mine-and-of-nobody-else')).toBe(200);
  server.kill('SIGTERM');
  expect((await server.ended).stdout).not.toContain('mine-and');
});

it('needs no token with --no-token, and prints its address as text', async () => {
  const server = startProcess('mcp', '--url', 'ws://127.0.0.1:1', '--http', '0', '--no-token');
  const url = /http:\S+/.exec(await server.firstLine)?.[0] ?? '';
  expect(await statusOf(url)).toBe(200);
  server.kill('SIGTERM');
  const { code, stdout } = await server.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('none needed (--no-token)');
  expect(stdout).toContain(`claude mcp add --transport http tabnode ${url}\n`);
});

it('reports a port that is in use, and an invalid token', async () => {
  const server = await startHttp('--url', 'ws://127.0.0.1:1');
  const { port } = new URL(server.ready.url);
  const other = await runProcess('mcp', '--url', 'ws://127.0.0.1:1', '--http', port, '--json');
  expect(other).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`Port ${port} of`) });
  server.kill('SIGTERM');
  await server.ended;
  vi.stubEnv('TABNODE_MCP_TOKEN', 'short');
  const short = await runProcess('mcp', '--url', 'ws://127.0.0.1:1', '--http', '0');
  expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('16 or more characters') });
});
