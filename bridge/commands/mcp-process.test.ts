import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runProcess } from '../clients/test-process.fixture.ts';

const program = fileURLToPath(new URL('../tabnode.ts', import.meta.url));

const line = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const clientInfo = { name: 'test', version: '1' };
const hello = line(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });

/** The command with its stdin open. */
const start = (...args: readonly string[]) => {
  const child = spawn(process.execPath, [program, 'mcp', ...args], { stdio: 'pipe' });
  const lines = createInterface({ input: child.stdout });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  return {
    child,
    write: (text: string) => child.stdin.write(text),
    answer: async (): Promise<{ readonly id: number; readonly result?: object; readonly error?: object }> =>
      JSON.parse(String((await once(lines, 'line'))[0])),
    end: () => child.stdin.end(),
    ended: async () => {
      const [code, signal] = await once(child as ChildProcess, 'close');
      return { code, signal, stderr };
    },
  };
};

describe('tabnode mcp as a process', () => {
  it('ignores garbage, and responds to the next message', async () => {
    const mcp = start('--dev');
    const first = mcp.answer();
    mcp.write(`hello?\n{"jsonrpc":\n\u0000\u00ff[1,2]\nnull\n{}\n${hello}`);
    expect(await first).toMatchObject({ id: 1, result: { serverInfo: { name: 'tabnode' } } });
    const second = mcp.answer();
    mcp.write(`}}}\n"text"\n${line(2, 'tools/list')}`);
    expect(await second).toMatchObject({ id: 2, result: { tools: expect.anything() } });
    mcp.end();
    expect(await mcp.ended()).toEqual({ code: 0, signal: null, stderr: '' });
  });

  it('exits with its client while a tool is running', async () => {
    const mcp = start('--dev', '--allow-writes', '--seal', 'manual');
    const first = mcp.answer();
    mcp.write(hello);
    await first;
    const transfer = { pallet: 'Balances', call: 'transfer_keep_alive', args: { dest: 'Bob', value: 1 } };
    mcp.write(line(2, 'tools/call', { name: 'submit_call', arguments: { ...transfer, wait_seconds: 120 } }));
    mcp.end();
    expect(await mcp.ended()).toMatchObject({ code: 0, signal: null });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits cleanly at %s while its stdin is open', async (signal) => {
    const mcp = start('--dev');
    const first = mcp.answer();
    mcp.write(hello);
    await first;
    mcp.child.kill(signal);
    expect(await mcp.ended()).toEqual({ code: 0, signal: null, stderr: '' });
  });

  it('exits with an error if a message never ends', async () => {
    const mcp = start('--dev');
    const ended = mcp.ended();
    mcp.child.stdin.on('error', () => undefined);
    mcp.write(hello);
    mcp.write('x'.repeat(12_000_000));
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Error LimitReached') });
  });

  it('reports a closed stdin', async () => {
    const { code, stdout, stderr } = await runProcess('mcp', '--dev');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(
      'Error BadConfig: mcp communicates with its client over stdin, but stdin is closed',
    );
  });

  it('reports an invalid chain before it sends anything to a client', async () => {
    const { code, stdout, stderr } = await runProcess('mcp', '--chain', '/nowhere.json', '--tmp', '--json');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toMatchObject({ event: 'error', code: 'BadSpec' });
  });
});
