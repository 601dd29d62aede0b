import type { RepairReport } from '../../src/protocol/node.ts';
import { parseRepairArguments } from '../cli/arguments.ts';
import { confirm, type Output } from '../cli/terminal.ts';
import { findChainSource } from '../files/chain-source.ts';
import { repairInThread } from '../thread/node-thread.ts';

const lossesOf = (report: RepairReport): string[] => {
  const { lostBlocks, lostStates, lostSnapshots, damaged } = report;
  const losses: string[] = [];
  if (lostBlocks !== null) losses.push(`blocks #${lostBlocks.from} to #${lostBlocks.to}`);
  if (lostStates === null) losses.push('all dev states');
  else if (lostStates.length > 0) losses.push(`dev states of the blocks ${lostStates.join(', ')}`);
  if (lostSnapshots.length > 0) losses.push(`snapshots ${lostSnapshots.join(', ')}`);
  for (const [store, count] of Object.entries(damaged)) losses.push(`damaged records of ${store}: ${count}`);
  return losses;
};

/**
 * States the extent of the check: every node of these states was verified against its hash. Verifying all
 * states would take time proportional to the length of the chain.
 */
const checkedText = ({ head, finalizedNumber }: RepairReport): string => {
  const isOne = finalizedNumber === head.number;
  const states = isOne
    ? `the state of #${head.number}`
    : `the states of #${head.number} and #${finalizedNumber}`;
  return `Checked in full: ${states}. The states of other blocks were not checked; damage there is reported when it is read.`;
};

/** Quotes an argument for the shell. */
const quoted = (argument: string): string =>
  /^[\w./:=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;

const own = ['--dry-run', '--yes', '-y', '--json'];

/**
 * The commands that save the blocks of this chain. Which blocks can be read is only known after the export.
 */
const exportText = (argv: readonly string[]): string => {
  const place = argv.filter((one) => !own.includes(one));
  const command = (name: string): string => ['tabnode', name, ...place, 'FILE'].map(quoted).join(' ');
  return [
    'To save the blocks above it, if the node starts, run:',
    `  ${command('export-blocks')}`,
    'then this repair, then:',
    `  ${command('import-blocks')}`,
    'Blocks above one that cannot be exported cannot be imported again.',
  ].join('\n');
};

const reportText = (report: RepairReport, argv: readonly string[]): string => {
  const { outcome, head, finalizedNumber, healedNodes, keptAt, pruningStops } = report;
  if (outcome === 'whole')
    return `Nothing is damaged. The head is block #${head.number}.\n${checkedText(report)}`;
  const losses = lossesOf(report);
  return [
    outcome === 'repaired'
      ? `Repaired. The head is block #${head.number}, and block #${finalizedNumber} is finalized.`
      : `The last intact block is #${head.number} (${head.hash}). Block #${finalizedNumber} would be finalized.`,
    losses.length === 0 ? 'Nothing is lost.' : `Lost:\n${losses.map((loss) => `  ${loss}`).join('\n')}`,
    ...(healedNodes === 0 ? [] : [`Recomputed from the specification: ${healedNodes} trie nodes.`]),
    ...(keptAt === null ? [] : [`The damaged file is kept as ${keptAt}`]),
    ...(pruningStops
      ? ['States are no longer pruned: the records of which nodes are needed are damaged.']
      : []),
    checkedText(report),
    ...(outcome === 'planned' && report.lostBlocks !== null ? [exportText(argv)] : []),
  ].join('\n');
};

/** `tabnode repair`: reports what a repair would lose, asks for confirmation, and repairs. */
export const repair = async (argv: readonly string[], output: Output): Promise<void> => {
  const args = parseRepairArguments(argv);
  const source = await findChainSource(args);
  const printReport = (report: RepairReport): void =>
    output.line(args.json ? JSON.stringify(report) : reportText(report, argv));
  const run = (apply: boolean): Promise<RepairReport> =>
    repairInThread(source, { apply }, (nodes) => {
      if (!args.json && nodes % 100_000 === 0) output.line(`${nodes} trie nodes checked`);
    });
  if (args.yes && !args.dryRun) return printReport(await run(true));
  const planned = await run(false);
  printReport(planned);
  if (planned.outcome === 'whole' || args.dryRun) return;
  if (await confirm('Repair the chain like this? (y/N) ', '--yes or --dry-run')) printReport(await run(true));
  else output.line('Nothing was changed.');
};
