import { NodeError } from '../../src/protocol/errors.ts';
import { translateConfig } from '../chopsticks/arguments.ts';
import { readConfigFile } from '../chopsticks/config-file.ts';
import { toForkCommand } from '../chopsticks/fork-command.ts';
import { readOptions } from '../chopsticks/options.ts';
import { openForkSource } from '../commands/live-commands.ts';
import { startServing } from '../commands/serve.ts';

/** What a test holds of its fork; `src/testing/chopsticks.ts` has the same type. */
type OpenedFork = {
  /** Of a WebSocket. */
  readonly url: string;
  close(): Promise<void>;
};

/**
 * Starts and serves a fork for a test, with a configuration of chopsticks: its options, or the path of its file. A free port
 * is taken unless one is given. Throws `BadConfig`, and the errors of endpoints.
 */
export const openFork = async (config: unknown, where: string): Promise<OpenedFork> => {
  const given = typeof config === 'string' ? await readConfigFile(config) : config;
  const options = readOptions(given, typeof config === 'string' ? config : where);
  if (options.endpoint === undefined && options.db === undefined)
    throw new NodeError(
      'BadConfig',
      'A test forks a live chain: name a node of it as "endpoint", such as wss://rpc.polkadot.io, or the chain, such as polkadot',
    );
  const translated = translateConfig(
    options,
    options.port === undefined ? ['--ws-port=0', '--rpc-port=0'] : [],
  );
  const { args, beforeOpen, afterOpen } = await toForkCommand(translated);
  const { served, call, stop } = await startServing(args, await openForkSource(args), beforeOpen);
  void afterOpen(call);
  return { url: served.ws, close: stop };
};
