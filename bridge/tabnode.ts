#!/usr/bin/env node
import { requireNodeVersion } from '../src/node-version.ts';
import { NodeError } from '../src/protocol/errors.ts';
import { version } from '../src/protocol/version.ts';
import { chainInfo, checkBlock, purgeChain, revert } from './chain-commands.ts';
import { exportBlocks } from './export-blocks.ts';
import { helpTexts } from './help.ts';
import { importBlocks } from './import-blocks.ts';
import { mcp } from './mcp.ts';
import { type Output, processOutput } from './output.ts';
import { repair } from './repair.ts';
import { serve } from './serve.ts';
import { buildSpec, exportState, listPresets } from './spec-commands.ts';

const commands: Record<string, ((argv: readonly string[], output: Output) => Promise<void>) | undefined> = {
  serve,
  'import-blocks': importBlocks,
  'export-blocks': exportBlocks,
  'build-spec': buildSpec,
  'list-presets': listPresets,
  'export-state': exportState,
  'chain-info': chainInfo,
  'check-block': checkBlock,
  revert,
  'purge-chain': purgeChain,
  repair,
  mcp,
};

/** Runs one command. Returns the process's exit code. */
const runCommand = async ([name, ...argv]: readonly string[], output: Output): Promise<number> => {
  const wantsHelp = argv.includes('--help') || argv.includes('-h');
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      output.line(helpTexts.overview);
      return name === undefined ? 2 : 0;
    }
    if (name === '--version' || name === '-V') {
      output.line(argv.includes('--json') ? JSON.stringify({ version }) : `tabnode ${version}`);
      return 0;
    }
    const command = commands[name];
    if (command === undefined)
      throw new NodeError('BadConfig', `There is no command "${name}"; see tabnode --help`);
    if (wantsHelp) {
      output.line(helpTexts[name as keyof typeof helpTexts]);
      return 0;
    }
    requireNodeVersion(process.versions.node);
    await command(argv, output);
    return 0;
  } catch (error) {
    output.error(error, argv.includes('--json'));
    return 1;
  }
};

process.exitCode = await runCommand(process.argv.slice(2), processOutput);
