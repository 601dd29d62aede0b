import { repairOptions, serveOptions } from './cli/arguments.ts';
import { exportOptions, importOptions } from './cli/block-arguments.ts';
import { bridgeOptions } from './cli/bridge-arguments.ts';
import {
  infoOptions,
  presetsOptions,
  revertOptions,
  specOptions,
  stateOptions,
} from './cli/chain-arguments.ts';
import type { Command, Commands } from './cli/command.ts';
import { completionText } from './cli/completion.ts';
import { helpTexts } from './cli/help.ts';
import { followOptions, forkOptions, runBlockOptions } from './cli/live-arguments.ts';
import { mcpOptions, parseMcpArguments } from './cli/mcp-arguments.ts';
import { proxyOptions } from './cli/proxy-arguments.ts';
import type { Output } from './cli/terminal.ts';
import {
  decodeKeyOptions,
  dryRunOptions,
  fetchStoragesOptions,
  followChainOptions,
} from './cli/tool-arguments.ts';
import { tryRuntimeOptions } from './cli/try-runtime-arguments.ts';
import { bridge } from './commands/bridge.ts';
import { chainInfo, checkBlock, purgeChain, revert } from './commands/chain-commands.ts';
import { develop, developOptions } from './commands/develop.ts';
import { exportBlocks } from './commands/export-blocks.ts';
import { importBlocks } from './commands/import-blocks.ts';
import { follow, fork, runBlock } from './commands/live-commands.ts';
import { repair } from './commands/repair.ts';
import { serve } from './commands/serve.ts';
import { buildSpec, exportState, listPresets } from './commands/spec-commands.ts';
import { tryRuntime } from './commands/try-runtime.ts';
import { keyHelp } from './key/help.ts';
import type { KeyCommandName } from './key/key-command.ts';
import { keyOptions } from './key/options.ts';

/** A command of `tabnode key`. The cryptography is loaded when it runs. */
const key = (name: KeyCommandName, summary: string): Commands => ({
  [`key ${name}`]: {
    summary,
    help: keyHelp[name],
    options: keyOptions[name],
    run: async (...args) => (await import('./key/runs.ts')).keyRuns[name](...args),
  },
});

const keyCommands: Commands = {
  ...key('export', 'save a key as an encrypted JSON account of polkadot-js'),
  ...key('generate', 'generate a phrase and its key'),
  ...key('generate-node-key', 'generate the key of a network identity'),
  ...key('inspect', 'show the key and address of a phrase, a secret URI, an address or a JSON account'),
  ...key('inspect-node-key', 'show the peer id of a network identity'),
  ...key('insert', 'add a key to the keystore of a chain'),
  ...key('sign', 'sign a message'),
  ...key('verify', 'verify the signature of a message'),
};

/**
 * `tabnode mcp`: the node's tools for agents, over stdin and stdout or over HTTP. The dependencies are loaded
 * only by this command.
 */
const mcp = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseMcpArguments(argv);
  const { runMcp } = await import('./mcp/run.ts');
  await runMcp(args, output);
};

const command = (
  name: keyof typeof helpTexts,
  summary: string,
  options: Command['options'],
  run: Command['run'],
): Commands => ({ [name]: { summary, help: helpTexts[name], options, run } });

/** Commands for chains, blocks and specifications, in the SDK's formats. */
const chainCommands: Commands = {
  ...command(
    'import-blocks',
    'verify and execute the blocks of a file into a chain',
    importOptions,
    importBlocks,
  ),
  ...command('export-blocks', 'write the blocks of a chain to a file', exportOptions, exportBlocks),
  ...command(
    'build-spec',
    'write a chain specification of a preset, a runtime or a state',
    specOptions,
    buildSpec,
  ),
  ...command('list-presets', 'list the genesis presets of a runtime', presetsOptions, listPresets),
  ...command(
    'export-state',
    'write the state of a block as a chain specification',
    stateOptions,
    exportState,
  ),
  ...command('chain-info', 'print the best and the finalized block of a chain', infoOptions, chainInfo),
  ...command('check-block', 'execute a block again and compare its roots', infoOptions, checkBlock),
  ...command('revert', 'remove blocks from the top of a chain', revertOptions, revert),
  ...command('purge-chain', 'delete a chain', revertOptions, purgeChain),
};

/** Commands that read a live chain. */
const liveCommands: Commands = {
  ...command('fork', 'continue a live chain from one of its blocks, and serve it', forkOptions, fork),
  ...command(
    'run-block',
    'execute a block of a live chain and compare its state root',
    runBlockOptions,
    runBlock,
  ),
  ...command(
    'try-runtime',
    'rehearse a runtime upgrade on the state of a live chain',
    tryRuntimeOptions,
    tryRuntime,
  ),
  ...command(
    'follow',
    'execute each new block of a live chain and compare its state root',
    followOptions,
    follow,
  ),
};

/** Tools on a fork, which are loaded when one of them runs. */
const tool =
  (name: 'dryRun' | 'fetchStorages' | 'decodeKey' | 'followChain'): Command['run'] =>
  async (...args) =>
    (await import('./commands/fork-tools.ts'))[name](...args);

const toolCommands: Commands = {
  ...command(
    'dry-run',
    'show what an extrinsic or a call would do on a live chain',
    dryRunOptions,
    tool('dryRun'),
  ),
  ...command(
    'fetch-storages',
    'read parts of the state of a live chain, and keep them',
    fetchStoragesOptions,
    tool('fetchStorages'),
  ),
  ...command('decode-key', 'explain a storage key of a live chain', decodeKeyOptions, tool('decodeKey')),
  ...command(
    'follow-chain',
    'the same as follow, with the options of chopsticks',
    followChainOptions,
    tool('followChain'),
  ),
};

const completion: Command = {
  summary: 'print a completion script for bash, zsh or fish',
  help: helpTexts.completion,
  options: {},
  run: async (argv, output) => output.line(completionText(commands, argv)),
};

/** Every command, in the order of `tabnode --help`. */
export const commands: Commands = {
  ...command(
    'develop',
    'run a development node, and the devtools connected to it in a browser',
    developOptions,
    develop,
  ),
  ...command('serve', 'run a node and serve its JSON-RPC API on 127.0.0.1', serveOptions, serve),
  ...chainCommands,
  ...liveCommands,
  ...toolCommands,
  ...command('repair', 'bring a damaged chain back to its last intact block', repairOptions, repair),
  ...command('bridge', 'let programs of this computer use the node of a browser tab', bridgeOptions, bridge),
  ...keyCommands,
  ...command('mcp', "give an agent the node's tools over the Model Context Protocol", mcpOptions, mcp),
  ...command('proxy', 'pass an allow-list of methods to any node', proxyOptions, async (...args) =>
    (await import('./commands/proxy.ts')).proxy(...args),
  ),
  completion,
};
