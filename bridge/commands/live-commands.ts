import { readFile } from 'node:fs/promises';
import { proxy } from 'comlink';
import { NodeError } from '../../src/protocol/errors.ts';
import type { PhaseReport, ReplayDifference, ReplayReport } from '../../src/protocol/replay.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { readForkCommand } from '../chopsticks/fork-command.ts';
import { parseFollowArguments, parseRunBlockArguments } from '../cli/live-arguments.ts';
import { createProgress, forTerminal, notice, type Output } from '../cli/terminal.ts';
import { openForkStorage } from '../files/chain-source.ts';
import { openNewFile } from '../files/new-file.ts';
import { runLive } from '../thread/node-thread.ts';
import type { Served } from '../thread/serve-thread.ts';
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
      : [`weight: ${weight.refTime}${weight.proofSize === null ? '' : `, ${weight.proofSize} B`}`]),
    ...(dispatchError === null ? [] : [`FAILED: ${dispatchError}`]),
    ...(names.length === 0 ? [] : [names.join(', ')]),
  ];
  return [`  ${phase}: ${parts.join('; ')}`, ...logs.map((line) => `    ${line}`)];
};

/** `tabnode run-block`: executes a block of a live chain, and compares its root. */
export const runBlock = async (argv: readonly string[], output: Output): Promise<void> => {
  const { endpoints, block, json } = parseRunBlockArguments(argv);
  const progress = createProgress('requests');
  let report: ReplayReport;
  try {
    report = await runLive((live) =>
      live.runBlock(
        { endpoints },
        block,
        proxy((requests: number) => progress.show(requests)),
      ),
    );
  } finally {
    progress.end();
  }
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
  if (!report.isSame) process.exitCode = 1;
};

const readPack = async (path: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch (cause) {
    throw new NodeError('BadConfig', `The pack ${path} cannot be read`, { cause });
  }
};

/** `tabnode fork`: continues a live chain, and serves it. */
export const fork = async (argv: readonly string[], output: Output): Promise<void> => {
  const { args, beforeOpen, afterOpen } = await readForkCommand(argv);
  const { endpoints, block, basePath, json, save, offline, sharedBytes } = args;
  const pack = args.pack === null ? undefined : await readPack(args.pack);
  const storage = await openForkStorage({ basePath, json }, endpoints, block, args.pack);
  const chain = { fork: { endpoints, block, pack, offline, sharedBytes } };
  const file = save === null ? null : await openNewFile(save, args.yes);
  const writePack = async (call: NodeCall): Promise<void> => {
    if (file === null) return;
    const bytes = hexToBytes(String(await call('dev_exportFork', [])));
    await file.write(bytes);
    await file.keep();
    notice(`The fork is saved in ${save} (${kilobytes(bytes.length)})`, json);
  };
  try {
    const ready = (served: Served, call: NodeCall): void => {
      announce(output, served, args);
      void afterOpen(call);
    };
    await serveUntilSignal(args, ready, { chain, storage }, { beforeOpen, beforeStop: writePack });
  } finally {
    await file?.close();
  }
};

/** `tabnode follow`: executes each new block of a live chain. */
export const follow = async (argv: readonly string[], output: Output): Promise<void> => {
  const { endpoints, json, ...choice } = parseFollowArguments(argv);
  const onBlock = (report: ReplayReport): void => {
    const { difference } = report;
    const lines = [
      `${resultText(report)}; ${costText(report)}`,
      ...(difference === null ? [] : differenceText(difference)),
    ];
    output.line(json ? JSON.stringify(report) : forTerminal(lines.join('\n')));
    if (!report.isSame) process.exitCode = 1;
  };
  await runLive((live) =>
    live.follow(
      { endpoints },
      choice,
      proxy(onBlock),
      proxy(({ code, message }) => notice(`${code}: ${message}`, json)),
    ),
  );
};
