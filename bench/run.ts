import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { bridge } from './cases/bridge.ts';
import { chromium } from './cases/chromium.ts';
import { coldStart, reopen } from './cases/cold-start.ts';
import { coldState } from './cases/cold-state.ts';
import { command } from './cases/command.ts';
import { devtools } from './cases/devtools.ts';
import { emptyBlock } from './cases/empty-block.ts';
import { fork } from './cases/fork.ts';
import { forkChopsticks } from './cases/fork-chopsticks.ts';
import { grandpa } from './cases/grandpa.ts';
import { networkChromium } from './cases/network/chromium.ts';
import { networkNative } from './cases/network/native.ts';
import { networkPeers } from './cases/network/peers.ts';
import { networkSync } from './cases/network/sync.ts';
import { networkTransport } from './cases/network/transport.ts';
import { pool } from './cases/pool.ts';
import { health, port } from './cases/port.ts';
import { restore } from './cases/restore.ts';
import { accounts, reads } from './cases/state.ts';
import { subscriptions } from './cases/subscriptions.ts';
import { tabs } from './cases/tabs.ts';
import { stored, transfers } from './cases/transfers.ts';
import { verification } from './cases/verification.ts';
import { type Bench, type BenchOptions, formatTable, isSkipped, type Line, verdict } from './figure.ts';
import { nativeHelp, runNative } from './native/run.ts';

const inNode: readonly Bench[] = [
  coldStart,
  emptyBlock,
  restore,
  transfers,
  verification,
  grandpa,
  reads,
  accounts,
  coldState,
  port,
  health,
  subscriptions,
  fork,
  forkChopsticks,
  networkSync,
  networkTransport,
  networkPeers,
  networkNative,
  pool,
  stored,
  reopen,
];

/** Groups that open a browser. */
const inBrowser: readonly Bench[] = [chromium, networkChromium, bridge, command, ...tabs, ...devtools];

const benches: readonly Bench[] = [...inNode, ...inBrowser];

const help = `Usage: npm run bench -- [--only NAME]… [--chromium] [--chopsticks]
       npm run bench -- --native [--only LINE]… [--rounds N] [--json FILE]

Measures the node against its budgets, prints a table and writes reports/bench.json.

  --only NAME   only this group, or those whose names begin with NAME- (may be given more than once)
  --chromium    the groups in Chromium too
  --chopsticks  installs chopsticks into bench/chopsticks, to compare forks with
  --native      a native node beside ours, in turn in one run: medians, and the least and the most of the rounds, of both
                and of their ratios, as a table in Markdown. Needs ../shared/native-node
  --rounds N    with --native: how often each line is measured (default: 5, 3 where nodes are started anew)
  --json FILE   with --native: writes the figures to this file too
  --help        this text

Groups:
${benches.map(({ name, about }) => `  ${name.padEnd(16)}  ${about}`).join('\n')}

Lines of --native, and what ours needs of native's (or ours alone):
${nativeHelp}
`;

const readArguments = () => {
  const options = {
    only: { type: 'string', multiple: true },
    chromium: { type: 'boolean' },
    chopsticks: { type: 'boolean' },
    native: { type: 'boolean' },
    rounds: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ options, strict: true }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
};

const readRounds = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  console.error(`--rounds must be a number from 1 to 999, not "${text}".`);
  process.exit(2);
};

const runOne = async (bench: Bench, options: BenchOptions): Promise<Line[]> => {
  console.error(`… ${bench.name}: ${bench.about}`);
  try {
    return await bench.run(options);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    return [
      { name: bench.name, skipped: `failed: ${error instanceof Error ? error.message : String(error)}` },
    ];
  }
};

const main = async (): Promise<void> => {
  const values = readArguments();
  const { only, chromium: wantsChromium, chopsticks = false } = values;
  if (values.help === true) {
    console.log(help);
    return;
  }
  if (values.native === true) {
    await runNative({ only, rounds: readRounds(values.rounds), json: values.json ?? null });
    return;
  }
  const isNamed = (bench: Bench, name: string): boolean =>
    bench.name === name || bench.name.startsWith(`${name}-`);
  const unknown = only?.find((name) => !benches.some((bench) => isNamed(bench, name)));
  if (unknown !== undefined) {
    console.error(`There is no group "${unknown}"; there are ${benches.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const isChosen = (bench: Bench): boolean => {
    if (only !== undefined)
      return (
        only.some((name) => isNamed(bench, name)) || (inBrowser.includes(bench) && wantsChromium === true)
      );
    return !inBrowser.includes(bench) || wantsChromium === true;
  };
  const lines: Line[] = [];
  for (const bench of benches) if (isChosen(bench)) lines.push(...(await runOne(bench, { chopsticks })));
  const machine = { node: process.version, cores: availableParallelism(), load: loadavg()[0] ?? 0 };
  console.log(formatTable(lines));
  console.log(`Node.js ${machine.node}, ${machine.cores} cores, load ${machine.load.toFixed(1)}`);
  const reports = new URL('../reports/', import.meta.url);
  await mkdir(reports, { recursive: true });
  const figures = lines.map((line) => (isSkipped(line) ? line : { ...line, verdict: verdict(line) }));
  await writeFile(new URL('bench.json', reports), `${JSON.stringify({ machine, figures }, null, 2)}\n`);
};

await main();
process.exit();
