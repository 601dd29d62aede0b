import { proxy } from 'comlink';
import { NodeError } from '../../src/protocol/errors.ts';
import { rehearsalText } from '../../src/rehearsal-text.ts';
import { openRehearsalProgress } from '../cli/rehearsal-progress.ts';
import { forTerminal, type Output } from '../cli/terminal.ts';
import { parseTryRuntimeArguments } from '../cli/try-runtime-arguments.ts';
import { readFileBytes, whyUnread } from '../files/read-file.ts';
import { runLive } from '../thread/node-thread.ts';
import { openPackFile, readPack } from './pack-files.ts';

const readRuntime = async (path: string): Promise<Uint8Array> => {
  try {
    return await readFileBytes(path);
  } catch (cause) {
    throw new NodeError('BadConfig', `The runtime ${path} cannot be read: ${whyUnread(cause)}`, { cause });
  }
};

/** `tabnode try-runtime`: rehearses a runtime upgrade on a block of a live chain. */
export const tryRuntime = async (argv: readonly string[], output: Output): Promise<number> => {
  const { endpoints, expected, block, checks, maxBlocks, json, ...files } = parseTryRuntimeArguments(argv);
  const code = await readRuntime(files.runtime);
  const pack = files.pack === null ? undefined : await readPack(files.pack);
  const file = await openPackFile(files.save, files.yes, json);
  const progress = openRehearsalProgress(json);
  try {
    const { report, pack: read } = await runLive((live) =>
      live.rehearse(
        { endpoints, expected, block, pack },
        code,
        { checks, maxBlocks, packs: file.isWanted },
        proxy(progress.update),
      ),
    );
    progress.close();
    output.line(json ? JSON.stringify(report) : forTerminal(rehearsalText(report)));
    await file.keep('What was read', read);
    return report.problems.length === 0 ? 0 : 1;
  } finally {
    progress.close();
    await file.close();
  }
};
