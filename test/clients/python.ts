import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache/python-client', import.meta.url));
const inCache = `${cache}/${process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python'}`;
const names = ['python3', 'python'];
/** The version that the test was written against. */
const packages = ['substrate-interface==1.8.1'];

const hasClient = async (python: string): Promise<boolean> =>
  run(python, ['-c', 'import substrateinterface']).then(
    () => true,
    () => false,
  );

/** Creates an environment with the client once. It is kept until node_modules is removed. */
const install = async (python: string): Promise<boolean> => {
  try {
    await run(python, ['-m', 'venv', '--clear', cache], { timeout: 120_000 });
    await run(inCache, ['-m', 'pip', 'install', '--quiet', ...packages], { timeout: 300_000 });
    return await hasClient(inCache);
  } catch {
    return false;
  }
};

/** A Python that can import `substrateinterface`, or the reason why there is none. */
export const findPython = async (): Promise<{ readonly python: string } | { readonly missing: string }> => {
  for (const python of [inCache, ...names]) if (await hasClient(python)) return { python };
  for (const python of names) if (await install(python)) return { python: inCache };
  return { missing: 'no Python with substrate-interface, and none can be installed' };
};

/** Runs a script in this folder; returns its standard output. Rejects if it fails. */
export const runPython = async (python: string, script: string, ...args: string[]): Promise<string> => {
  const path = fileURLToPath(new URL(`../python/${script}`, import.meta.url));
  return (await run(python, [path, ...args], { timeout: 120_000 })).stdout;
};
