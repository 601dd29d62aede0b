import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { alternate, type Pair, type Sample } from './rounds.ts';
import type { Tools } from './tools.ts';
import { cpuOfEnded } from './usage.ts';

type Ended = { readonly stdout: string; readonly stderr: string; readonly cpu: number };

/** Runs a program to its end; `cpu` is its processor time. Nothing else that was started may end meanwhile. */
const runToEnd = async (program: string, args: readonly string[]): Promise<Ended> => {
  const cpu = cpuOfEnded();
  const { stdout, stderr } = await promisify(execFile)(program, [...args], { maxBuffer: 1 << 28 });
  return { stdout, stderr, cpu: cpuOfEnded() - cpu };
};

const readNumber = (pattern: RegExp, text: string): number => {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`no ${pattern} in: ${text.slice(-500)}`);
  return Number(found);
};

type Options = {
  readonly chain: `${number}x${number}`;
  readonly storage: 'memory' | 'sqlite';
  /** Both on one core. */
  readonly isOnOneCore: boolean;
};

type Imported = {
  readonly ms: number;
  /** Of the whole process. */
  readonly cpu: number;
  /** Which part of the processor time was the import; native's executes the blocks again when it has imported. */
  readonly share: number;
};

/**
 * Import of the same chain with full verification, a new process and a new chain each time. Ours is the time that
 * `import-blocks` reports, native's that of `time-import`, which verifies and imports into its database on the
 * disk. Processor time is of the whole process less that of a process which imports nothing; of native's the share
 * that the import has of the clock, because `time-import` executes the blocks again when it has imported.
 */
export const importChain =
  ({ chain, storage, isOnOneCore }: Options) =>
  async (tools: Tools, rounds: number): Promise<Pair<Sample>[]> => {
    const [spec, file] = [await tools.spec(0), await tools.chain(chain)];
    const empty = tools.native.write('empty.bin', new Uint8Array(8));
    const countOf = (blocks: string): number => (blocks === empty ? 0 : Number(chain.split('x')[0]));
    const run = (program: string, ...args: readonly string[]): Promise<Ended> =>
      isOnOneCore ? runToEnd('taskset', ['-c', '0', program, ...args]) : runToEnd(program, args);
    const ours = async (blocks: string, place: readonly string[]): Promise<Imported> => {
      const where = storage === 'memory' ? ['--tmp'] : place;
      const options = ['import-blocks', '--json', '--binary', '--chain', spec, ...where, blocks];
      const { stdout, cpu } = await run(process.execPath, tools.program, ...options);
      if (readNumber(/"imported":\s*(\d+)/, stdout) !== countOf(blocks)) throw new Error(stdout);
      return { ms: readNumber(/"ms":\s*([\d.]+)/, stdout), cpu, share: 1 };
    };
    const native = async (blocks: string, place: readonly string[]): Promise<Imported> => {
      const { stderr, cpu } = await run(
        tools.native.program,
        ...['time-import', '--chain', spec, ...place, blocks],
      );
      if (readNumber(/blocks (\d+) extrinsics/, stderr) !== countOf(blocks)) throw new Error(stderr);
      const again = readNumber(/execute_only_ms -?([\d.]+)/, stderr);
      const ms = readNumber(/total_ms -?([\d.]+)/, stderr);
      return { ms, cpu, share: ms / (ms + again) };
    };
    const measure = async (one: typeof ours) => {
      const importNew = (blocks: string): Promise<Imported> => tools.withPlace((place) => one(blocks, place));
      const { cpu: nothing } = await importNew(empty);
      return async (): Promise<Sample> => {
        const { ms, cpu, share } = await importNew(file);
        return { value: ms, cpu: (cpu - nothing) * share };
      };
    };
    return alternate(rounds, { ours: await measure(ours), native: await measure(native) });
  };
