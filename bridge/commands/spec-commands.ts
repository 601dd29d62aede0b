import { readFile } from 'node:fs/promises';
import { proxy } from 'comlink';
import { NodeError } from '../../src/protocol/errors.ts';
import type { WriteText } from '../../src/protocol/offline.ts';
import {
  parsePresetsArguments,
  parseSpecArguments,
  parseStateArguments,
  type StateArguments,
} from '../cli/chain-arguments.ts';
import { createProgress, type Output } from '../cli/terminal.ts';
import { findChainSource, loadChainSource } from '../files/chain-source.ts';
import { openNewFile, openStdout } from '../files/new-file.ts';
import { runOffline } from '../thread/node-thread.ts';

/** Writes a complete file or none, or to standard output, and then prints the report. */
const writeTo = async <T>(
  { file: path, yes }: Pick<StateArguments, 'file' | 'yes'>,
  output: Output,
  work: (write: WriteText) => Promise<T>,
): Promise<void> => {
  const file = path === null ? openStdout() : await openNewFile(path, yes);
  const faults: unknown[] = [];
  // Errors lose their code when they cross the thread boundary, so this one is kept here.
  const write: WriteText = async (text) => {
    try {
      await file.write(text);
    } catch (fault) {
      faults.push(fault);
      throw fault;
    }
  };
  try {
    const report = await work(proxy(write));
    await file.keep();
    if (path !== null) output.line(JSON.stringify(report));
  } catch (error) {
    throw faults[0] ?? error;
  } finally {
    await file.close();
  }
};

const writeState = async (args: StateArguments, output: Output): Promise<void> => {
  const stored = await findChainSource(args);
  const progress = createProgress('keys');
  const show = proxy((keys: number) => progress.show(keys));
  try {
    await writeTo(args, output, (write) =>
      runOffline((offline) => offline.exportState(stored, args.block, args.names, write, show)),
    );
  } finally {
    progress.end();
  }
};

const readPatch = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new NodeError('BadConfig', `${path} cannot be read`, { cause });
  }
};

/** `tabnode build-spec`: a chain specification from a preset, a runtime, another specification or a state. */
export const buildSpec = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseSpecArguments(argv);
  if (args.isFromState) return writeState(args, output);
  const { source } = await loadChainSource(args);
  const patch = args.patch === null ? null : await readPatch(args.patch);
  await writeTo(args, output, (write) =>
    runOffline((offline) => offline.buildSpec(source, patch, args.raw, args.names, write)),
  );
};

/** `tabnode export-state`: a raw specification whose genesis is the state of a block. */
export const exportState = (argv: readonly string[], output: Output): Promise<void> =>
  writeState(parseStateArguments(argv), output);

/** `tabnode list-presets`: the genesis presets of a runtime. */
export const listPresets = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parsePresetsArguments(argv);
  const { source } = await loadChainSource(args);
  const presets = await runOffline((offline) => offline.listPresets(source));
  if (args.json) output.line(JSON.stringify({ presets }));
  else for (const preset of presets) output.line(preset);
};
