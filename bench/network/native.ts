import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { logsReports, type NativeNode, type Report } from '../../test/native/native-rig.ts';
import { sleep } from '../measure.ts';

/** What a native node may charge a peer at once, and how low its reputation of a peer may be (issue 43). */
const mostCharge = 1024;
const lowestScore = -1000;

export type RunningNative = Awaited<ReturnType<NativeNode['serve']>>;

/** Starts a native node of a specification, which logs what it thinks of its peers; resolves when it responds. */
export const serveNative = async (
  native: NativeNode,
  spec: string,
  ...args: readonly string[]
): Promise<RunningNative> => {
  const place = ['--chain', spec, '--base-path', mkdtempSync(join(native.folder, 'chain'))];
  const running = await native.serve(...place, '--rpc-methods', 'unsafe', logsReports, ...args);
  while (!(await running.isUp())) await sleep(200);
  return running;
};

const findCharge = (reports: readonly Report[]): string[] => {
  const found = reports.find(({ change, score }) => change <= -mostCharge || score < lowestScore);
  if (found === undefined) return [];
  const { peer, change, score, reason } = found;
  return [`The native node charges ${peer} ${-change} (${reason}), which leaves ${score}`];
};

/**
 * What a native node thinks of its peers. Nothing of its log is kept, which would show as memory that grows. `check` returns the
 * first report since the last call by which it punishes a peer too much, as a sentence.
 */
export const watchReports = ({ takeReports }: Pick<RunningNative, 'takeReports'>) => {
  let [count, lowest] = [0, 0];
  return {
    check: (): string[] => {
      const reports = takeReports();
      count += reports.length;
      for (const { score } of reports) lowest = Math.min(lowest, score);
      return findCharge(reports);
    },
    count: (): number => count,
    /** The lowest reputation that any peer had. */
    lowest: (): number => lowest,
  };
};
