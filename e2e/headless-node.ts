import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const tabnode = fileURLToPath(new URL('../bridge/tabnode.ts', import.meta.url));

type Ready = { readonly http: string; readonly peerId: string; readonly addresses: readonly string[] };

/** A `tabnode serve` process that others reach by WebSocket. `kill` resolves when it has ended. */
export type HeadlessNode = Ready & { kill(): Promise<void> };

const running = new Set<ChildProcess>();

/** Ends those that a test has left. */
export const killHeadless = (): void => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
};

/** Starts a node of a specification, which keeps its chain in a folder and listens at a port of this machine. */
export const serveHeadless = async (
  spec: string,
  folder: string,
  listenPort: number,
  ...args: readonly string[]
): Promise<HeadlessNode> => {
  const place = ['--chain', spec, '--base-path', folder, '--json', '--ws-port', '0', '--rpc-port', '0'];
  const rpc = ['--dialect', 'polkadot-sdk', '--rpc-methods', 'unsafe'];
  const listens = ['--listen-addr', `/ip4/127.0.0.1/tcp/${listenPort}/ws`];
  const child = spawn(process.execPath, [tabnode, 'serve', ...place, ...rpc, ...listens, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ready = await new Promise<Ready>((resolve, reject) => {
    void ended.then(() => reject(new Error(`tabnode has ended with code ${child.exitCode}`)));
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as Ready));
  });
  return {
    ...ready,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      running.delete(child);
    },
  };
};
