import type { ReplayReport } from '../../src/protocol/replay.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { followBlocks } from '../../worker/fork/follow.ts';
import { createReplayer } from '../../worker/fork/run-block.ts';
import { openRealOrigin } from '../origin/origin-rig.ts';

/** Follows the best blocks of a node over the network, as `tabnode follow` does, until `count` were executed. */
export const followLive = async (
  endpoint: string,
  count: number,
  onBlock: (report: ReplayReport) => void = () => undefined,
): Promise<ReplayReport[]> => {
  const crypto = await loadCrypto();
  const { origin, errors } = await openRealOrigin([endpoint]);
  const onError = (error: unknown): void => void errors.push(error);
  const replayer = await createReplayer({
    crypto,
    newExecutor: () => createExecutor({ crypto }),
    origin,
    onError,
    nowMs: () => performance.now(),
  });
  const reports: ReplayReport[] = [];
  try {
    await followBlocks(
      origin,
      replayer,
      { head: 'best', count, stopsAtDifference: false },
      {
        block: (report) => {
          reports.push(report);
          onBlock(report);
        },
        problem: (error) => {
          throw error;
        },
      },
    );
  } finally {
    origin.close();
  }
  if (errors.length > 0) throw errors[0];
  return reports;
};
