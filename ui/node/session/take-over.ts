import { leaderLock } from '../../../src/tabs/messages.ts';

/** What a tab wants of the others: to have the chain (`asked`), or that no tab has it open (`over`). */
export type Wish = 'asked' | 'over';

/** Messages between the tabs of this page: the wish of one, or that a tab has released the chain (`free`). */
type Word = { readonly kind: Wish | 'free'; readonly chain: string };

const channelName = 'tabnode.chains';
/** Longer than a tab needs to shut down its node. */
const waitMs = 4000;

/**
 * Handles requests of other tabs for a chain. `release` shuts down its node if this tab runs it, and resolves
 * to whether it did. Does nothing if the browser has no BroadcastChannel.
 */
export const hearTabs = (release: (chain: string, wish: Wish) => Promise<boolean>): void => {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'free') return;
    void release(data.chain, data.kind).then((isFree) => {
      if (isFree) channel.postMessage({ kind: 'free', chain: data.chain } satisfies Word);
    });
  };
};

/**
 * Asks the other tabs to close a chain; resolves to whether one did. Pages other than the devtools do not
 * respond.
 */
export const askTabs = (chain: string, kind: Wish = 'asked'): Promise<boolean> =>
  new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName);
    const end = (isFree: boolean): void => {
      clearTimeout(timer);
      channel.close();
      resolve(isFree);
    };
    const timer = setTimeout(() => end(false), waitMs);
    channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (data.kind === 'free' && data.chain === chain) end(true);
    };
    channel.postMessage({ kind, chain } satisfies Word);
  });

/**
 * Makes every other tab leave a chain, so that none of them starts it when this tab closes it. If
 * `isElsewhere`, one of them runs the node, and the promise resolves once that node has shut down.
 */
export const freeChain = async (chain: string, isElsewhere: boolean): Promise<void> => {
  if (typeof BroadcastChannel === 'undefined') return;
  // This message reaches them before the end of the node, which is reported on another channel.
  const asked = askTabs(chain, 'over');
  if (isElsewhere) await asked;
};

/** Whether another tab runs the chain and shares it. */
export const isShared = async (chain: string): Promise<boolean> => {
  const locks = await navigator.locks.query().catch(() => null);
  return locks?.held?.some(({ name }) => name?.startsWith(leaderLock(chain, ''))) ?? false;
};

/**
 * Calls back once another tab shares the chain: one that is starting does not do so yet. Returns the function that stops
 * looking.
 */
export const watchShared = (chain: string, onShared: () => void): (() => void) => {
  const timer = setInterval(async () => {
    if (!(await isShared(chain))) return;
    clearInterval(timer);
    onShared();
  }, 1000);
  return () => clearInterval(timer);
};
