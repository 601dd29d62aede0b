import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, unlink, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const shared = (path: string): string => fileURLToPath(new URL(`../../shared/${path}`, import.meta.url));
const packed = shared('native-node/native-node.xz');

/** The chain of the native nodes of these tests. */
export const nativeSpec = shared('fixtures/sdk-node/spec.json');
export const hasNativeNode = existsSync(packed) && process.platform === 'linux';

/** A native node of the shared folder, with Alice's key. `address` is the `HOST:PORT` of its JSON-RPC. */
export type NativeNode = { readonly address: string; kill(): void };

/** Starts it on a free port; by default it seals on request. The program is written to a file, which is removed again. */
export const startNative = async (
  program: string,
  more: readonly string[] = [],
  chain: readonly string[] = ['--chain', nativeSpec, '--seal', 'manual'],
): Promise<NativeNode> => {
  const { stdout } = await promisify(execFile)('xz', ['-dkc', packed], {
    encoding: 'buffer',
    maxBuffer: 1 << 29,
  });
  await writeFile(program, stdout);
  await chmod(program, 0o755);
  const own = ['--rpc-port', '0', '--no-mdns', '--no-prometheus', '--no-telemetry', '--rpc-cors', 'all'];
  const args = [...chain, '--alice', '--tmp', '--rpc-methods', 'unsafe'];
  const key = ['--node-key', '1'.padStart(64, '0')];
  const place = more.includes('--listen-addr') ? [] : ['--port', '0'];
  const native = spawn(program, [...args, ...key, ...own, ...place, ...more], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => void native.kill('SIGKILL');
  for await (const line of createInterface({ input: native.stderr })) {
    const address = /Running JSON-RPC server: addr=([^\s,]+)/.exec(line)?.[1];
    if (address === undefined) continue;
    // The process keeps running; 150 MB are not kept with the results.
    await unlink(program);
    // Otherwise it would wait for somebody who reads what it logs.
    native.stderr.resume();
    return { address, kill };
  }
  const [code] = await once(native, 'exit');
  throw new Error(`the native node ended with code ${code}`);
};
