import { repairOptions, serveOptions } from './arguments.ts';
import { exportOptions, importOptions } from './block-arguments.ts';
import { bridge } from './bridge.ts';
import { bridgeOptions } from './bridge-arguments.ts';
import { infoOptions, presetsOptions, revertOptions, specOptions, stateOptions } from './chain-arguments.ts';
import { chainInfo, checkBlock, purgeChain, revert } from './chain-commands.ts';
import type { Command, Commands } from './command.ts';
import { completionText } from './completion.ts';
import { develop, developOptions } from './develop.ts';
import { exportBlocks } from './export-blocks.ts';
import { helpTexts } from './help.ts';
import { importBlocks } from './import-blocks.ts';
import { keyHelp } from './key/help.ts';
import { keyOptions } from './key/options.ts';
import { mcp } from './mcp.ts';
import { mcpOptions } from './mcp-arguments.ts';
import { proxyOptions } from './proxy-arguments.ts';
import { repair } from './repair.ts';
import { serve } from './serve.ts';
import { buildSpec, exportState, listPresets } from './spec-commands.ts';

/** The cryptography is loaded by these commands only. */
const keyCommands: Commands = {
  'key generate': {
    summary: 'generate a phrase and its key',
    help: keyHelp.generate,
    options: keyOptions.generate,
    run: async (...args) => (await import('./key/inspect.ts')).keyGenerate(...args),
  },
  'key generate-node-key': {
    summary: 'generate the key of a network identity',
    help: keyHelp['generate-node-key'],
    options: keyOptions['generate-node-key'],
    run: async (...args) => (await import('./key/node-key.ts')).keyGenerateNodeKey(...args),
  },
  'key inspect': {
    summary: 'show the key and address of a phrase, a secret URI or an address',
    help: keyHelp.inspect,
    options: keyOptions.inspect,
    run: async (...args) => (await import('./key/inspect.ts')).keyInspect(...args),
  },
  'key inspect-node-key': {
    summary: 'show the peer id of a network identity',
    help: keyHelp['inspect-node-key'],
    options: keyOptions['inspect-node-key'],
    run: async (...args) => (await import('./key/node-key.ts')).keyInspectNodeKey(...args),
  },
  'key insert': {
    summary: 'add a key to the keystore of a chain',
    help: keyHelp.insert,
    options: keyOptions.insert,
    run: async (...args) => (await import('./key/insert.ts')).keyInsert(...args),
  },
  'key sign': {
    summary: 'sign a message',
    help: keyHelp.sign,
    options: keyOptions.sign,
    run: async (...args) => (await import('./key/sign.ts')).keySign(...args),
  },
  'key verify': {
    summary: 'verify the signature of a message',
    help: keyHelp.verify,
    options: keyOptions.verify,
    run: async (...args) => (await import('./key/sign.ts')).keyVerify(...args),
  },
};

/** What is done to chains, blocks and specifications, in the SDK's forms. */
const chainCommands: Commands = {
  'import-blocks': {
    summary: 'verify and execute the blocks of a file into a chain',
    help: helpTexts['import-blocks'],
    options: importOptions,
    run: importBlocks,
  },
  'export-blocks': {
    summary: 'write the blocks of a chain to a file',
    help: helpTexts['export-blocks'],
    options: exportOptions,
    run: exportBlocks,
  },
  'build-spec': {
    summary: 'write a chain specification of a preset, a runtime or a state',
    help: helpTexts['build-spec'],
    options: specOptions,
    run: buildSpec,
  },
  'list-presets': {
    summary: 'list the genesis presets of a runtime',
    help: helpTexts['list-presets'],
    options: presetsOptions,
    run: listPresets,
  },
  'export-state': {
    summary: 'write the state of a block as a chain specification',
    help: helpTexts['export-state'],
    options: stateOptions,
    run: exportState,
  },
  'chain-info': {
    summary: 'print the best and the finalized block of a chain',
    help: helpTexts['chain-info'],
    options: infoOptions,
    run: chainInfo,
  },
  'check-block': {
    summary: 'execute a block again and compare its roots',
    help: helpTexts['check-block'],
    options: infoOptions,
    run: checkBlock,
  },
  revert: {
    summary: 'remove blocks from the top of a chain',
    help: helpTexts.revert,
    options: revertOptions,
    run: revert,
  },
  'purge-chain': {
    summary: 'delete a chain',
    help: helpTexts['purge-chain'],
    options: revertOptions,
    run: purgeChain,
  },
};

const completion: Command = {
  summary: 'print a completion script for bash, zsh or fish',
  help: helpTexts.completion,
  options: {},
  run: async (argv, output) => output.line(completionText(commands, argv)),
};

/** Every command, in the order of `tabnode --help`. */
export const commands: Commands = {
  develop: {
    summary: 'run a development node, and the devtools connected to it in a browser',
    help: helpTexts.develop,
    options: developOptions,
    run: develop,
  },
  serve: {
    summary: 'run a node and serve its JSON-RPC API on 127.0.0.1',
    help: helpTexts.serve,
    options: serveOptions,
    run: serve,
  },
  ...chainCommands,
  repair: {
    summary: 'bring a damaged chain back to its last intact block',
    help: helpTexts.repair,
    options: repairOptions,
    run: repair,
  },
  bridge: {
    summary: 'let programs of this computer use the node of a browser tab',
    help: helpTexts.bridge,
    options: bridgeOptions,
    run: bridge,
  },
  ...keyCommands,
  mcp: {
    summary: "give an agent the node's tools over the Model Context Protocol",
    help: helpTexts.mcp,
    options: mcpOptions,
    run: mcp,
  },
  proxy: {
    summary: 'pass an allow-list of methods to any node',
    help: helpTexts.proxy,
    options: proxyOptions,
    run: async (...args) => (await import('./proxy.ts')).proxy(...args),
  },
  completion,
};
