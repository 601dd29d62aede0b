import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { callHttp } from './test-clients.fixture.ts';

const program = fileURLToPath(new URL('../tabnode.ts', import.meta.url));

/**
 * The tests of `serve` can run against a bridge, which must behave the same to clients: with
 * TABNODE_THROUGH=thread and a node in a thread, with TABNODE_THROUGH=tab and the node of a tab in Chromium.
 */
const programOf = ([command]: readonly string[]): string => {
  const through = process.env['TABNODE_THROUGH'];
  return command === 'serve' && through !== undefined
    ? fileURLToPath(new URL(`./serve-through-${through}.fixture.ts`, import.meta.url))
    : program;
};

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** The `tabnode` command as tests run it, in a separate process. */
export type TestProcess = {
  /** The first line of its stdout; rejects if the process ends first. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ended>;
  /** Resolves once stderr matches; rejects if the process ends first. */
  said(pattern: RegExp): Promise<void>;
  /** Its stdout so far. */
  printed(): string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
};

const collect = (child: ChildProcess) => {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    texts.stdout += part;
  });
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    texts.stderr += part;
  });
  return texts;
};

/** With the given environment variables. */
export const startProcessIn = (env: NodeJS.ProcessEnv, ...args: readonly string[]): TestProcess => {
  const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [programOf(args), ...args], { stdio, env });
  const texts = collect(child);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...texts }));
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const end = texts.stdout.indexOf('\n');
      if (end >= 0) resolve(texts.stdout.slice(0, end));
    });
    void ended.then(({ code, stderr }) => reject(new Error(`ended with code ${code}: ${stderr}`)), reject);
  });
  firstLine.catch(() => undefined);
  const said = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(texts.stderr)) resolve();
      };
      look();
      child.stderr.on('data', look);
      void ended.then(({ stderr }) => reject(new Error(`ended without ${pattern}: ${stderr}`)), reject);
    });
  return {
    firstLine,
    ended,
    said,
    printed: () => texts.stdout,
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
  };
};

export const startProcess = (...args: readonly string[]): TestProcess => startProcessIn(process.env, ...args);

export const runProcess = (...args: readonly string[]): Promise<Ended> => startProcess(...args).ended;

export type Ready = {
  readonly event: 'ready';
  ws: string;
  http: string;
  genesisHash: string;
  bestNumber: number;
};

const onFreePorts = ['serve', '--json', '--ws-port', '0', '--rpc-port', '0'] as const;

/** Runs `tabnode serve` on free ports until it exits by itself. */
export const runServe = (...args: readonly string[]): Promise<Ended> => runProcess(...onFreePorts, ...args);

/** Starts `tabnode serve` on free ports; resolves when it is ready. */
export const startServe = async (
  ...args: readonly string[]
): Promise<TestProcess & { readonly ready: Ready }> => {
  const process = startProcess(...onFreePorts, ...args);
  return { ...process, ready: JSON.parse(await process.firstLine) as Ready };
};

/** Starts a command that serves a chain, with a client of its HTTP port. `R` is its ready line. */
export const startServed = async <R extends Ready>(...args: readonly string[]) => {
  const process = startProcess(...args);
  const ready = JSON.parse(await process.firstLine) as R;
  /** Ends it as a user would. Resolves to its stderr. */
  const stop = async (): Promise<string> => {
    process.kill('SIGTERM');
    const { code, stderr } = await process.ended;
    if (code !== 0) throw new Error(`ended with code ${code}: ${stderr}`);
    return stderr;
  };
  const call = <T>(method: string, ...params: unknown[]): Promise<T> =>
    callHttp(ready.http, method, params) as Promise<T>;
  return { process, ready, stop, call };
};
