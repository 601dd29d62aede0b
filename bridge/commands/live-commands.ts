import { join } from 'node:path';
import { proxy } from 'comlink';
import type { PhaseReport, ReplayDifference, ReplayReport } from '../../src/protocol/replay.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { openForkProgress } from '../cli/fork-progress.ts';
import { type ForkArguments, parseFollowArguments, parseRunBlockArguments } from '../cli/live-arguments.ts';
import { createProgress, forTerminal, notice, type Output } from '../cli/terminal.ts';
import { type NodeSource, openForkStorage } from '../files/chain-source.ts';
import { runLive } from '../thread/node-thread.ts';
import type { Served } from '../thread/serve-thread.ts';
import { openPackFile, readPack } from './pack-files.ts';
import { announce, type NodeCall, serveUntilSignal } from './serve.ts';

const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

const differenceText = ({ phase, why, here, there }: ReplayDifference): string[] => [
  `  ${phase === null ? 'Difference' : `First phase that differs: ${phase}`}: ${why}`,
  ...(Object.keys(here).length === 0
    ? []
    : [`  here:  ${JSON.stringify(here)}`, `  there: ${JSON.stringify(there)}`]),
];

const resultText = (report: ReplayReport): string => {
  const { number, hash, specName, specVersion, stateRoot, computedRoot, isSame } = report;
  const block = `#${number} (${hash}), ${specName} ${specVersion}`;
  if (isSame) return `${block}: same root ${stateRoot}`;
  return computedRoot === null
    ? `${block}: cannot be executed`
    : `${block}: DIFFERENT ROOT ${computedRoot}, not ${stateRoot}`;
};

const costText = ({ extrinsics, executionMs, requests, bytes }: ReplayReport): string =>
  `extrinsics: ${extrinsics}, execution: ${milliseconds(executionMs)}, requests: ${requests}, ${kilobytes(bytes)}`;

const phaseText = ({ phase, ms, events, weight, dispatchError, logs }: PhaseReport): string[] => {
  const names = (events ?? []).map(({ name }) => name);
  const parts = [
    milliseconds(ms),
    ...(weight === null
      ? []
      : [
          `weight: ${weight.refTime}${weight.proofSize === null ? '' : ` and ${weight.proofSize} B of proof`}`,
        ]),
    ...(dispatchError === null ? [] : [`FAILED: ${dispatchError}`]),
    ...(names.length === 0 ? [] : [names.join(', ')]),
  ];
  return [`  ${phase}: ${parts.join('; ')}`, ...logs.map((line) => `    ${line}`)];
};

/** Returns the exit code. */
const printReplay = (report: ReplayReport, json: boolean, output: Output): number => {
  const { difference, phases } = report;
  if (json) output.line(JSON.stringify(report));
  else
    output.line(
      forTerminal(
        [
          resultText(report),
          `  ${costText(report)}`,
          ...(difference === null ? [] : differenceText(difference)),
          ...(phases ?? []).flatMap(phaseText),
        ].join('\n'),
      ),
    );
  return report.isSame ? 0 : 1;
};

/** `tabnode run-block`: executes a block of a live chain, and compares its root. */
export const runBlock = async (argv: readonly string[], output: Output): Promise<number> => {
  const { endpoints, expected, block, json, ...files } = parseRunBlockArguments(argv);
  if (files.pack !== null) {
    const bytes = await readPack(files.pack);
    return printReplay(await runLive((live) => live.runPack(bytes)), json, output);
  }
  const file = await openPackFile(files.save, files.yes, json);
  const progress = createProgress('requests');
  const onProgress = proxy((requests: number) => progress.show(requests));
  try {
    const { report, pack } = await runLive((live) =>
      live.runBlock({ endpoints, expected }, block, { packs: file.isWanted }, onProgress),
    );
    progress.end();
    const code = printReplay(report, json, output);
    await file.keep('The block', pack);
    return code;
  } finally {
    progress.end();
    await file.close();
  }
};

/** The fork that the arguments name, and where it is stored. Throws `BadConfig`. */
export const openForkSource = async (args: ForkArguments, progress?: MessagePort): Promise<NodeSource> => {
  const { endpoints, expected, block, basePath, json, offline, sharedBytes, allowUnresolvedImports } = args;
  const pack = args.pack === null ? undefined : await readPack(args.pack);
  const from = args.pack ?? expected?.title ?? endpoints[0];
  const storage = await openForkStorage({ basePath, json }, from, block);
  const own = { endpoints, expected, block, pack, offline, sharedBytes, allowUnresolvedImports };
  const chain = { fork: { ...own, progress } };
  if (args.mayFallBack !== true || basePath == null) return { chain, storage };
  // What forks share is for several processes at once.
  return { chain, storage, fallback: { kind: 'memory', nodesPath: join(basePath, 'nodes.sqlite') } };
};

const storedText = (pack: string): string =>
  `The fork is stored in the base path, with its blocks, and goes on from there: ${pack} was only compared with its base. To begin from the pack, delete the fork with purge-chain, or name another base path`;

/** `tabnode fork`: continues a live chain, and serves it. */
export const fork = async (argv: readonly string[], output: Output): Promise<void> => {
  // What reads options of chopsticks is loaded by this command only.
  const { readForkCommand } = await import('../chopsticks/fork-command.ts');
  const { args, beforeOpen, afterOpen } = await readForkCommand(argv);
  // Other lines on stderr would be written into that of the progress.
  const progress = args.log === null && !args.json ? openForkProgress() : null;
  const source = await openForkSource(args, progress?.port);
  const file = await openPackFile(args.save, args.yes, args.json);
  const writePack = async (call: NodeCall): Promise<void> => {
    if (file.isWanted) await file.keep('The fork', hexToBytes(String(await call('dev_exportFork', []))));
  };
  try {
    const ready = (served: Served, call: NodeCall): void => {
      progress?.pause();
      announce(output, served, args);
      if (args.pack !== null && served.info.wasStored) notice(storedText(args.pack), args.json);
      void afterOpen(call);
    };
    await serveUntilSignal(args, ready, source, { beforeOpen, beforeStop: writePack });
  } finally {
    progress?.close();
    await file.close();
  }
};

/** `tabnode follow`: executes each new block of a live chain. */
export const follow = async (argv: readonly string[], output: Output): Promise<number> => {
  const { endpoints, expected, json, save, yes, ...choice } = parseFollowArguments(argv);
  const file = await openPackFile(save, yes, json);
  let code = 0;
  const onBlock = (report: ReplayReport): void => {
    const { difference } = report;
    const lines = [
      `${resultText(report)}; ${costText(report)}`,
      ...(difference === null ? [] : differenceText(difference)),
    ];
    output.line(json ? JSON.stringify(report) : forTerminal(lines.join('\n')));
    if (!report.isSame) code = 1;
  };
  try {
    const pack = await runLive((live) =>
      live.follow(
        { endpoints, expected },
        { ...choice, packs: file.isWanted },
        proxy(onBlock),
        proxy(({ code, message }) => notice(`${code}: ${message}`, json)),
      ),
    );
    await file.keep('The block', pack);
    return code;
  } finally {
    await file.close();
  }
};
