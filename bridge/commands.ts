import { chainOptions, exportOptions, repairOptions, serveOptions } from './arguments.ts';
import { bridge } from './bridge.ts';
import { bridgeOptions } from './bridge-arguments.ts';
import type { Command, Commands } from './command.ts';
import { completionText } from './completion.ts';
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

const completion: Command = {
  summary: 'print a completion script for bash, zsh or fish',
  help: helpTexts.completion,
  options: {},
  run: async (argv, output) => output.line(completionText(commands, argv)),
};

/** Every command, in the order of `tabnode --help`. */
export const commands: Commands = {
  serve: {
    summary: 'run a node and serve its JSON-RPC API on 127.0.0.1',
    help: helpTexts.serve,
    options: serveOptions,
    run: serve,
  },
  'import-blocks': {
    summary: 'verify and execute the blocks of a file into a chain',
    help: helpTexts['import-blocks'],
    options: chainOptions,
    run: importBlocks,
  },
  'export-blocks': {
    summary: 'write the blocks of a chain to a file',
    help: helpTexts['export-blocks'],
    options: exportOptions,
    run: exportBlocks,
  },
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
