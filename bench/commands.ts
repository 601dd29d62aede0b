import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../bridge/tabnode.ts', import.meta.url));
const anyPorts = ['--json', '--ws-port=0', '--rpc-port=0'];

export type Served = {
  readonly ws: string;
  readonly http: string;
  /** Where other nodes reach it, if it takes part in a network. */
  readonly addresses: readonly string[];
  readonly child: ChildProcess;
};

/** Starts `tabnode` with these arguments, and waits for its ready line. */
export const startCommand = (...args: readonly string[]): Promise<Served> => startProgram(source, ...args);

/** The same with another build of the command. */
export const startProgram = async (program: string, ...args: readonly string[]): Promise<Served> => {
  const child = spawn(process.execPath, [program, ...args, ...anyPorts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`tabnode ${args.join(' ')} has ended`);
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => undefined);
  const ready = JSON.parse(line) as Omit<Served, 'child'>;
  return { ...ready, addresses: ready.addresses ?? [], child };
};

export const stopCommand = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** One call over HTTP. */
export const callHttp = async <T>(http: string, method: string, ...params: unknown[]): Promise<T> => {
  const response = await fetch(http, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
};
