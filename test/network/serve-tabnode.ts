import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Ready = { readonly http: string; readonly peerId: string; readonly addresses: readonly string[] };

/** A node whose JSON-RPC can be called, ours or a native one. */
export type Called = { call<T>(method: string, ...params: unknown[]): Promise<T> };

const tabnode = fileURLToPath(new URL('../../bridge/tabnode.ts', import.meta.url));
const running = new Set<ChildProcess>();

/** For `afterAll`: no process outlives the tests. */
export const killServed = (): void => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
};

export const listenAddress = (port: number, form: 'ws' | 'tcp'): string =>
  `/ip4/127.0.0.1/tcp/${port}${form === 'ws' ? '/ws' : ''}`;

/** `tabnode serve` of a specification, in memory unless it gets a `--base-path`, in the dialect of a native node. */
export const serveTabnode = async (chain: string, ...args: readonly string[]) => {
  const place = args.includes('--base-path') ? [] : ['--tmp'];
  const own = ['--chain', chain, ...place, '--ws-port', '0', '--rpc-port', '0', '--json'];
  const dialect = ['--dialect', 'polkadot-sdk', '--rpc-methods', 'unsafe'];
  const child = spawn(process.execPath, [tabnode, 'serve', ...own, ...dialect, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const lines = createInterface({ input: child.stdout });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.on('close', (code) => reject(new Error(`tabnode ended with ${code}`)));
    lines.once('line', (line) => resolve(JSON.parse(line) as Ready));
  });
  const call = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(ready.http, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result: T; error?: object };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> => {
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.kill(signal);
    await ended;
    running.delete(child);
  };
  return { ...ready, call, stop };
};

/** A node that keeps its chain in a folder and is reached by WebSocket at a port of this machine. */
export const serveAt = (spec: string, folder: string, listenPort: number, ...args: readonly string[]) =>
  serveTabnode(spec, '--base-path', folder, '--listen-addr', listenAddress(listenPort, 'ws'), ...args);

export const bestOf = async ({ call }: Called): Promise<number> =>
  Number((await call<{ number: string }>('chain_getHeader')).number);
export const finalOf = async ({ call }: Called): Promise<number> => {
  const hash = await call<string>('chain_getFinalizedHead');
  return Number((await call<{ number: string }>('chain_getHeader', hash)).number);
};
export const hashAt = ({ call }: Called, number: number) => call<string>('chain_getBlockHash', number);
