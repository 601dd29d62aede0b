import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeError } from '../../src/protocol/errors.ts';
import type { RevertReport } from '../../src/protocol/offline.ts';
import {
  parseBlockArguments,
  parseInfoArguments,
  parsePurgeArguments,
  parseRevertArguments,
} from '../cli/chain-arguments.ts';
import { confirm, type Output } from '../cli/terminal.ts';
import { findChainSource, findStored, locateChain, storedText } from '../files/chain-source.ts';
import { runOffline } from '../thread/node-thread.ts';

/** `tabnode chain-info`: prints what the SDK's command prints. */
export const chainInfo = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseInfoArguments(argv);
  const stored = await findStored(args);
  const info = await runOffline((offline) => offline.chainInfo(stored));
  output.line(args.json ? JSON.stringify(info) : JSON.stringify(info, null, 2));
};

/** `tabnode check-block`: re-executes a block and compares its roots. */
export const checkBlock = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseBlockArguments(argv);
  const stored = await findChainSource(args);
  const fromMs = performance.now();
  const report = await runOffline((offline) => offline.checkBlock(stored, args.block));
  const ms = Math.round(performance.now() - fromMs);
  const { number, hash, extrinsics, stateRoot } = report;
  output.line(
    args.json
      ? JSON.stringify({ ...report, ms })
      : `Block #${number} (${hash}) is valid. Extrinsics: ${extrinsics}. State root: ${stateRoot}`,
  );
};

const revertText = ({ reverted, bestNumber, bestHash, finalizedNumber }: RevertReport): string =>
  reverted === 0
    ? `There are no blocks to revert: block #${finalizedNumber} is finalized.`
    : `Reverted ${reverted} blocks. Best: #${bestNumber} (${bestHash})`;

/** `tabnode revert`: removes the topmost blocks, after confirmation. */
export const revert = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseRevertArguments(argv);
  const stored = await findChainSource(args);
  if (!args.yes) {
    const info = await runOffline((offline) => offline.chainInfo(stored));
    const { best_number: best, finalized_number: finalized } = info;
    const to = Math.max(best - args.count, finalized);
    const question = `Remove the blocks #${to + 1} to #${best}? (y/N) `;
    if (to < best && !(await confirm(question, '--yes'))) return output.line('Nothing was changed.');
  }
  const report = await runOffline((offline) => offline.revert(stored, args.count));
  output.line(args.json ? JSON.stringify(report) : revertText(report));
};

const listFiles = async (folder: string, fileName: string): Promise<string[]> => {
  try {
    return (await readdir(folder)).filter((name) => name.startsWith(fileName)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new NodeError('BadConfig', `${folder} cannot be read`, { cause: error });
  }
};

const removeFiles = async (folder: string, files: readonly string[]): Promise<void> => {
  try {
    for (const name of files) await rm(join(folder, name), { force: true });
    // Fails if the folder contains other files, which are kept.
    await rmdir(folder).catch(() => undefined);
  } catch (cause) {
    throw new NodeError('StorageReadOnly', `${folder} cannot be removed`, { cause });
  }
};

/**
 * `tabnode purge-chain`: deletes a chain's files, after confirmation. As in the SDK, a missing chain is not
 * an error.
 */
export const purgeChain = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parsePurgeArguments(argv);
  const { folder, fileName } = await locateChain(args);
  const files = await listFiles(folder, fileName);
  const report = (isRemoved: boolean, text: string): void =>
    output.line(args.json ? JSON.stringify({ removed: isRemoved ? files : [], folder }) : text);
  if (files.length === 0) return report(false, `There is no chain in ${folder}${await storedText(folder)}`);
  const path = join(folder, fileName);
  if (files.includes(fileName)) await runOffline((offline) => offline.checkFree({ kind: 'sqlite', path }));
  const question = `Remove the chain in ${folder} with its keys: ${files.join(', ')}? (y/N) `;
  if (!args.yes && !(await confirm(question, '--yes'))) return report(false, 'Nothing was changed.');
  await removeFiles(folder, files);
  report(true, `Removed the chain in ${folder}`);
};
