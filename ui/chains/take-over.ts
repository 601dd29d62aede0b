/** What the tabs of this page tell each other: a chain is asked for, is closed everywhere, or was let go. */
type Word = { readonly kind: 'asked' | 'over' | 'free'; readonly chain: string };

const channelName = 'tabnode.chains';
/** Longer than a tab needs to end its node. */
const waitMs = 4000;

/**
 * Hears other tabs that ask for a chain: `release` ends its node if this tab has it, and resolves to whether it did. Where the
 * browser has no such channels, nobody asks.
 */
export const hearTabs = (release: (chain: string, isOver: boolean) => Promise<boolean>): void => {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'free') return;
    void release(data.chain, data.kind === 'over').then((isFree) => {
      if (isFree) channel.postMessage({ kind: 'free', chain: data.chain } satisfies Word);
    });
  };
};

/** Asks the other tabs to close a chain; resolves to whether one did. A page that is none of the devtools does not answer. */
export const askTabs = (chain: string, kind: 'asked' | 'over' = 'asked'): Promise<boolean> =>
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
 * Has every other tab leave a chain, so that none starts it when this one closes it. `isElsewhere`: one of them runs its node;
 * resolves once that has ended.
 */
export const freeChain = async (chain: string, isElsewhere: boolean): Promise<void> => {
  if (typeof BroadcastChannel === 'undefined') return;
  if (isElsewhere) {
    await askTabs(chain, 'over');
    return;
  }
  // They hear it before the end of the node, which another channel tells them.
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ kind: 'over', chain } satisfies Word);
  channel.close();
};
