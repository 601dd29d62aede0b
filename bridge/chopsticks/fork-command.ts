import { type ForkArguments, ownForkOptions, parseForkArguments } from '../cli/live-arguments.ts';
import { notice } from '../cli/terminal.ts';
import { switchArguments } from './arguments.ts';
import { fetchStorages, readItems } from './fetch-storages.ts';
import { prepareSetUp, type SetUp } from './set-up.ts';

/** `tabnode fork` with the options of chopsticks: its arguments, and what is done before and after it is served. */
export type ForkCommand = {
  readonly args: ForkArguments;
  readonly beforeOpen: SetUp;
  /** Reads ahead what `prefetch-storages` names. Never rejects. */
  readonly afterOpen: SetUp;
};

/** Reads the command line, and all files that it names. Throws `BadConfig`. */
export const readForkCommand = async (argv: readonly string[]): Promise<ForkCommand> => {
  const { argv: own, rest, notices } = await switchArguments(argv, ownForkOptions);
  const args = parseForkArguments(own);
  const beforeOpen = await prepareSetUp(rest);
  const items = readItems(rest['prefetch-storages'] ?? [], 'prefetch-storages');
  for (const text of notices) notice(text, args.json);
  return {
    args,
    beforeOpen,
    afterOpen: async (request) => {
      if (items.length === 0) return;
      try {
        const found = await fetchStorages(request, items, () => undefined);
        notice(`prefetch-storages: ${found} values are read`, args.json);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        notice(`prefetch-storages: ${why}`, args.json);
      }
    },
  };
};
