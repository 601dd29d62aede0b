import { errorToData } from '../src/protocol/errors.ts';
import type { Live, OriginChoice } from '../src/protocol/replay.ts';
import type { Origin } from './chain/origin.ts';
import { createClosers } from './closers.ts';
import { outcome } from './control.ts';
import { createExecutor } from './executor/executor.ts';
import { followBlocks } from './fork/follow.ts';
import { createReplayer, findLiveBlock, type Replayer } from './fork/run-block.ts';
import type { Platform } from './foundations.ts';

type Opened = { readonly origin: Origin; readonly replayer: Replayer };

/** Opens a live chain for one piece of work and closes it afterwards. Throws `BadConfig`. */
const withLiveChain = async <T>(
  platform: Platform,
  { endpoints }: OriginChoice,
  work: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const crypto = await platform.loadCrypto();
  const { onError, unzstd } = platform;
  const closers = createClosers();
  const { createPlatformOrigin } = await import('./origin/platform-origin.ts');
  const origin = createPlatformOrigin({ ...platform, blake2b256: crypto.blake2b256 }, endpoints);
  closers.add(async () => origin.close());
  try {
    const executor = createExecutor({ crypto }, unzstd && { unzstd });
    const nowMs = (): number => performance.now();
    return await work({
      origin,
      replayer: await createReplayer({ crypto, executor, origin, onError, nowMs }),
    });
  } finally {
    await closers.closeAll();
  }
};

/** The commands that execute blocks of a live chain. */
export const createLive = (platform: Platform): Live => ({
  runBlock: (choice, block, onProgress) =>
    outcome(() =>
      withLiveChain(platform, choice, async ({ origin, replayer }) => {
        const stop = origin.onProgress(() => {
          const { requests, bytes } = origin.stats();
          onProgress(requests, bytes);
        });
        try {
          return await replayer.run(await findLiveBlock(origin, block), true);
        } finally {
          stop();
        }
      }),
    ),
  follow: (choice, options, onBlock, onProblem) =>
    outcome(() =>
      withLiveChain(platform, choice, ({ origin, replayer }) =>
        followBlocks(origin, replayer, options, {
          block: onBlock,
          problem: (error) => onProblem(errorToData(error)),
        }),
      ),
    ),
});
