import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { hasNativeNode } from '../../test/native/native-rig.ts';
import type { NativeLine } from './line.ts';
import { nativeLines } from './lines.ts';
import { tabnode } from './nodes.ts';
import { barText, conclude, heading, type Outcome, rowOf, verdictOf } from './report.ts';
import { summarize } from './rounds.ts';
import { openTools, type Tools } from './tools.ts';

export type NativeOptions = {
  readonly only: readonly string[] | undefined;
  readonly rounds: number | null;
  readonly json: string | null;
};

export const nativeHelp = nativeLines
  .map((line) => `  ${line.name.padEnd(24)}  ${barText(line).padEnd(16)}  ${line.about}`)
  .join('\n');

/** The lines of these names, or whose names begin with one and a hyphen; null and a sentence if there is none of a name. */
export const chooseLines = (
  only: readonly string[] | undefined,
): { readonly lines: readonly NativeLine[] } | { readonly unknown: string } => {
  const isNamed = (line: NativeLine, name: string): boolean =>
    line.name === name || line.name.startsWith(`${name}-`);
  const unknown = only?.find((name) => !nativeLines.some((line) => isNamed(line, name)));
  if (unknown !== undefined)
    return {
      unknown: `There is no line "${unknown}"; npm run bench -- --help lists those of --native.`,
    };
  return {
    lines: nativeLines.filter((line) => only?.some((name) => isNamed(line, name)) ?? true),
  };
};

/** Ends the run after the line that is measured, at a second signal at once; nobody else ends the nodes. */
const watchSignals = (tools: Tools): { isInterrupted(): boolean } => {
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      signals++;
      if (signals > 1) void tools.close().finally(() => process.exit(1));
      else console.error('Stops after this line; once more to stop now.');
    });
  return { isInterrupted: () => signals > 0 };
};

const measure = async (line: NativeLine, tools: Tools, rounds: number): Promise<Outcome> => {
  try {
    return { line, summary: summarize(await line.measure(tools, rounds)), rounds };
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    return { line, failed: error instanceof Error ? error.message : String(error) };
  }
};

/** Bundles the command as the package has it: what users run is what is measured. */
const buildCommand = (): void => {
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, 'node'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The command could not be built');
};

const describeMachine = (tools: Tools): string => {
  const version = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { encoding: 'utf8' }).trim();
  const processor = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
  const programs = `${version(process.execPath, tabnode, '--version')}, ${version(tools.native.program, '--version')}, Node.js ${process.version}`;
  return `${new Date().toISOString().slice(0, 16)}Z, ${processor}; ${programs}`;
};

const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

/** Measures the lines beside a native node, one after the other, and prints each when it is done. */
export const runNative = async ({ only, rounds, json }: NativeOptions): Promise<void> => {
  const chosen = chooseLines(only);
  if ('unknown' in chosen) {
    console.error(chosen.unknown);
    process.exitCode = 2;
    return;
  }
  if (!hasNativeNode) {
    console.log('Skipped: there is no native node in ../shared/native-node (Linux x64) to measure beside.');
    return;
  }
  buildCommand();
  const tools = await openTools(tabnode);
  const { isInterrupted } = watchSignals(tools);
  try {
    const machine = describeMachine(tools);
    const loads = [load()];
    console.log(`${machine}\n\n${heading}`);
    const outcomes: Outcome[] = [];
    for (const line of chosen.lines) {
      const outcome = isInterrupted()
        ? { line, failed: 'the run was interrupted' }
        : await measure(line, tools, rounds ?? line.rounds);
      outcomes.push(outcome);
      console.log(rowOf(outcome));
    }
    loads.push(load());
    console.log(`\n${loads.join(' before, ')} after (one minute)\n${conclude(outcomes)}`);
    if (json !== null) {
      const lines = outcomes.map((outcome) => ({ ...outcome, verdict: verdictOf(outcome) }));
      await writeFile(json, `${JSON.stringify({ machine, loads, lines }, null, 2)}\n`);
    }
  } finally {
    await tools.close();
  }
};
