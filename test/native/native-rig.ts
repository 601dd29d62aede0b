import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Node } from '../../worker/node.ts';
import { fixturePath } from '../rigs/fixtures.ts';

const packed = fixturePath('../native-node/native-node.xz');
export const hasNativeNode = process.platform === 'linux' && process.arch === 'x64' && existsSync(packed);

const run = promisify(execFile);

/** A port of this machine that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The flag by which a native node logs what it thinks of its peers. */
export const logsReports = '-lsub-libp2p::peerstore=trace';

/** A change of a peer's reputation, as a native node logs it. */
export type Report = {
  readonly peer: string;
  readonly change: number;
  readonly score: number;
  readonly reason: string;
};

const findReports = (log: string): Report[] =>
  [...log.matchAll(/Report (\w+): ([+-]\d+) to (-?\d+)\. Reason: (.*?)\.\s/g)].map(
    ([, peer = '', change, score, reason = '']) => ({
      peer,
      change: Number(change),
      score: Number(score),
      reason,
    }),
  );

/** The native node of the shared folder, copied to a temporary folder, which `close` removes. */
export const unpackNativeNode = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-native-'));
  const program = join(folder, 'native-node');
  const running: ChildProcess[] = [];
  const out = openSync(program, 'w');
  await new Promise<void>((resolve, reject) => {
    const child = spawn('xz', ['-dkc', packed], { stdio: ['ignore', out, 'ignore'] });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`xz ended with ${code}`))));
  });
  // A file that is open for writing cannot be executed.
  closeSync(out);
  chmodSync(program, 0o755);
  const write = (name: string, data: string | Uint8Array): string => {
    writeFileSync(join(folder, name), data);
    return join(folder, name);
  };
  /** Runs one of its commands with these variables set; returns all of its output. */
  const commandIn = async (
    variables: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<string> => {
    const env = { ...process.env, ...variables };
    const { stdout, stderr } = await run(program, [...args], { env, maxBuffer: 1 << 28, timeout: 120_000 });
    return stdout + stderr;
  };
  return {
    folder,
    program,
    write,
    /** The specification of a node's chain, in raw form. */
    writeSpec: async ({ parts }: Node): Promise<string> => {
      const { spec } = parts.chain;
      const genesis = await parts.chain.genesisJson(true);
      const rest = { bootNodes: [], properties: {}, telemetryEndpoints: null, protocolId: null };
      return write(
        'spec.json',
        JSON.stringify({ name: spec.name, id: spec.id, chainType: 'Local', ...rest, genesis }),
      );
    },
    command: (...args: readonly string[]) => commandIn({}, ...args),
    commandIn,
    /** Starts a native node that serves JSON-RPC on a free local port. */
    serve: async (...args: readonly string[]) => {
      const port = await freePort();
      const own = ['--rpc-port', `${port}`, '--no-mdns', '--no-prometheus', '--no-telemetry'];
      if (!args.includes('--listen-addr')) own.push('--port', '0');
      const log = join(folder, `${port}.log`);
      const logged = openSync(log, 'w');
      const child = spawn(program, [...args, ...own], {
        stdio: ['ignore', 'ignore', logged],
      });
      closeSync(logged);
      running.push(child);
      const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
      const call = async <T>(method: string, ...params: unknown[]): Promise<T> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body });
        const answer = (await response.json()) as { result: T; error?: { message: string } };
        if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
        return answer.result;
      };
      let taken = 0;
      const takeLines = (): string => {
        const file = openSync(log, 'r');
        const bytes = Buffer.alloc(fstatSync(file).size - taken);
        readSync(file, bytes, 0, bytes.length, taken);
        closeSync(file);
        // The last line may not be whole yet.
        const end = bytes.lastIndexOf('\n') + 1;
        taken += end;
        return bytes.toString('utf8', 0, end);
      };
      const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> => {
        child.kill(signal);
        await ended;
      };
      return {
        /** Both WebSocket and HTTP. */
        port,
        pid: child.pid ?? 0,
        call,
        stop,
        /** What it has logged. */
        log: (): string => readFileSync(log, 'utf8'),
        /** The changes of peers' reputations, and what they became, if it logs them (`logsReports`). */
        reports: (): Report[] => findReports(readFileSync(log, 'utf8')),
        /** Those that it has logged since the last call. */
        takeReports: (): Report[] => findReports(takeLines()),
        /** It serves HTTP and WebSockets at one port. */
        address: `127.0.0.1:${port}`,
        isUp: () =>
          call('system_chain').then(
            () => true,
            () => false,
          ),
      };
    },
    close: (): void => {
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
};

export type NativeNode = Awaited<ReturnType<typeof unpackNativeNode>>;
