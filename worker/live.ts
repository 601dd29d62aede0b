import { errorToData } from '../src/protocol/errors.ts';
import type { Live, OriginChoice } from '../src/protocol/replay.ts';
import { hexToBytes } from './bytes/hex.ts';
import type { Origin } from './chain/origin.ts';
import { createClosers } from './closers.ts';
import { outcome } from './control.ts';
import { createExecutor } from './executor/executor.ts';
import { followBlocks } from './fork/follow.ts';
import { createReplayer, findLiveBlock, type Replayer, runReplayPack } from './fork/run-block.ts';
import type { Platform } from './platform.ts';

type Opened = { readonly origin: Origin; readonly replayer: Replayer };

/** What executes blocks, without a chain. */
const loadParts = async ({ loadCrypto, unzstd, onError }: Platform) => {
  const crypto = await loadCrypto();
  const newExecutor = () => createExecutor({ crypto }, unzstd && { unzstd });
  return { crypto, newExecutor, onError, nowMs: (): number => performance.now() };
};

/** Opens a live chain for one piece of work and closes it afterwards. Throws `BadConfig`. */
const withLiveChain = async <T>(
  platform: Platform,
  { endpoints, expected }: OriginChoice,
  work: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const parts = await loadParts(platform);
  const closers = createClosers();
  const { createPlatformOrigin } = await import('./origin/platform-origin.ts');
  const { blake2b256 } = parts.crypto;
  const genesisHash = expected === undefined ? null : hexToBytes(expected.genesisHash);
  const named = expected?.title ?? null;
  const origin = createPlatformOrigin({ ...platform, blake2b256 }, endpoints, genesisHash, named);
  closers.add(async () => origin.close());
  try {
    return await work({ origin, replayer: await createReplayer({ ...parts, origin }) });
  } finally {
    await closers.closeAll();
  }
};

/** The commands that execute blocks of a live chain. */
export const createLive = (platform: Platform): Live => ({
  runBlock: (choice, block, { packs }, onProgress) =>
    outcome(() =>
      withLiveChain(platform, choice, async ({ origin, replayer }) => {
        const stop = origin.onProgress(() => {
          const { requests, bytes } = origin.stats();
          onProgress(requests, bytes);
        });
        try {
          const hash = await findLiveBlock(origin, block);
          const report = await replayer.run(hash, true);
          return { report, pack: packs && !report.isSame ? await replayer.pack(hash) : null };
        } finally {
          stop();
        }
      }),
    ),
  runPack: (pack) => outcome(async () => runReplayPack(await loadParts(platform), pack)),
  follow: (choice, options, onBlock, onProblem) =>
    outcome(() =>
      withLiveChain(platform, choice, async ({ origin, replayer }) => {
        // Endpoints that never respond are an error. Those that stop to do so later may come back.
        await origin.latest(options.head);
        const differing = await followBlocks(origin, replayer, options, {
          block: onBlock,
          problem: (error) => onProblem(errorToData(error)),
        });
        return options.packs && differing !== null ? replayer.pack(differing) : null;
      }),
    ),
  rehearse: (...request) =>
    outcome(async () => (await import('./rehearse-live.ts')).rehearseLive(platform, ...request)),
});
