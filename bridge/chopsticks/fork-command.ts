import { NodeError } from '../../src/protocol/errors.ts';
import { type ForkArguments, ownForkOptions, parseForkArguments } from '../cli/live-arguments.ts';
import { notice } from '../cli/terminal.ts';
import { type Translated, translateArguments } from './arguments.ts';
import { fetchStorages, type Item, readItems } from './fetch-storages.ts';
import type { Request } from './request.ts';
import { prepareSetUp, type SetUp } from './set-up.ts';

/** `tabnode fork` with the options of chopsticks: its arguments, and what is done before and after it is served. */
export type ForkCommand = {
  readonly args: ForkArguments;
  readonly beforeOpen: SetUp;
  /** Reads ahead what `prefetch-storages` names. Never rejects. */
  readonly afterOpen: SetUp;
};

const readAhead = async (request: Request, items: readonly Item[], json: boolean): Promise<void> => {
  if (items.length === 0) return;
  try {
    const found = await fetchStorages(request, items, () => undefined);
    notice(`prefetch-storages: ${found} values are read`, json);
  } catch (error) {
    // The fork has ended meanwhile.
    if (error instanceof NodeError && error.code === 'Disconnected') return;
    notice(`prefetch-storages: ${error instanceof Error ? error.message : String(error)}`, json);
  }
};

/** Reads all files that the options name. Throws `BadConfig`. */
export const toForkCommand = async ({ argv, rest, notices, isFile }: Translated): Promise<ForkCommand> => {
  const args = {
    ...parseForkArguments(argv),
    likeChopsticks: isFile,
    // Without `resume`, what is stored is only a cache, which several tests use at the same time.
    mayFallBack: rest.db !== undefined && (rest.resume === undefined || rest.resume === false),
    allowUnresolvedImports: rest['allow-unresolved-imports'] === true,
  };
  const beforeOpen = await prepareSetUp(rest, (text) => notice(text, args.json));
  const items = readItems(rest['prefetch-storages'] ?? [], 'prefetch-storages');
  for (const text of notices) notice(text, args.json);
  return { args, beforeOpen, afterOpen: (request) => readAhead(request, items, args.json) };
};

/** Reads the command line, and all files that it names. Throws `BadConfig`. */
export const readForkCommand = async (argv: readonly string[]): Promise<ForkCommand> =>
  toForkCommand(await translateArguments(argv, ownForkOptions));
