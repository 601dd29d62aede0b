import { type RehearsalReport, type UpgradeChecks, upgradeChecks } from '../../../src/protocol/rehearsal.ts';
import { Reader } from '../../bytes/reader.ts';
import type { CallOptions, CallResult, Runtime } from '../../executor/executor.ts';
import type { Backend } from '../../state/backend.ts';
import { createOverlay, type Overlay } from '../../state/overlay.ts';
import { againstLimit, readWeight } from './limits.ts';
import { runReadingAhead } from './read-ahead.ts';
import { callOptions, failureText, timed, trialOptions } from './runs.ts';
import type { RehearsalSteps } from './steps.ts';

const method = 'TryRuntime_on_runtime_upgrade';

export const hasChecks = (runtime: Runtime): boolean =>
  runtime.apiVersion('TryRuntime') !== null && runtime.hasExport(method);

/** Errors and warnings that are reported. */
const mostLogs = 20;
const warning = 1;

/** What the migrations weigh, and the most that a block may (frame-try-runtime). Null: the result is of another form. */
const readResult = (output: Uint8Array) => {
  try {
    const reader = new Reader(output);
    const [weight, limit] = [readWeight(reader), readWeight(reader)];
    reader.end();
    return againstLimit(weight, limit);
  } catch {
    return null;
  }
};

/** Runs the migrations with the checks that their runtime has, on a state whose changes are dropped. */
export const runChecks = async (
  steps: RehearsalSteps,
  runtime: Runtime,
  backend: Backend,
  selected: UpgradeChecks,
): Promise<NonNullable<RehearsalReport['checks']>> => {
  const input = Uint8Array.of(upgradeChecks.indexOf(selected));
  const call = (overlay: Overlay, options: CallOptions): CallResult =>
    runtime.call(overlay, method, input, options);
  await steps.begin('checks', null);
  const runs = timed(runReadingAhead(steps, backend, (state) => call(createOverlay(state), trialOptions())));
  const overlay = steps.reads.counted(createOverlay(backend));
  const result = await runs.run(() => call(overlay, callOptions()));
  const keysRead = overlay.keysRead().length;
  steps.seen(keysRead);
  return {
    selected,
    failure: result.ok ? null : failureText(result, 'has more to check than this node does in one call'),
    weight: result.ok ? readResult(result.output) : null,
    ms: runs.ms(),
    keysRead,
    logs: result.logs
      .filter(({ level }) => level <= warning)
      .slice(-mostLogs)
      .map(({ target, message }) => `${target}: ${message}`),
  };
};
