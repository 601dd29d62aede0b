/** What the tabs of this page tell each other: a chain is asked for, or was let go. */
type Word = { readonly kind: 'asked' | 'free'; readonly chain: string };

const channelName = 'tabnode.chains';
/** Longer than a tab needs to end its node. */
const waitMs = 4000;

/**
 * Hears other tabs that ask for a chain: `release` ends its node if this tab has it, and resolves to whether it did. Where the
 * browser has no such channels, nobody asks.
 */
export const hearTabs = (release: (chain: string) => Promise<boolean>): void => {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind !== 'asked') return;
    void release(data.chain).then((isFree) => {
      if (isFree) channel.postMessage({ kind: 'free', chain: data.chain } satisfies Word);
    });
  };
};

/** Asks the other tabs to close a chain; resolves to whether one did. A page that is none of the devtools does not answer. */
export const askTabs = (chain: string): Promise<boolean> =>
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
    channel.postMessage({ kind: 'asked', chain } satisfies Word);
  });

const pollMs = 20;
const maxPolls = 100;

/** Resolves once no tab waits for its turn with a chain, or after two seconds. */
const whenUnwanted = async (chain: string): Promise<void> => {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { pending = [] } = await navigator.locks.query();
    if (!pending.some(({ name }) => name === `tabnode:${chain}`)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
};

/**
 * Has every other tab leave a chain, so that none starts it again when this one closes it. `isOwn`: this tab runs its node;
 * otherwise the tab that does ends it.
 */
export const freeChain = async (chain: string, isOwn: boolean): Promise<void> => {
  if (typeof BroadcastChannel === 'undefined') return;
  if (!isOwn) {
    await askTabs(chain);
    return;
  }
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ kind: 'asked', chain } satisfies Word);
  channel.close();
  await whenUnwanted(chain);
};
