/**
 * A channel between the tabs that store the same list under this key, for what the stored list cannot say: one that lacks a
 * member may just be older. `hear` receives what another tab tells; the returned function tells the others.
 */
export const openListChannel = <News>(
  key: string,
  ended: AbortSignal,
  hear: (news: News) => void,
): ((news: News) => void) => {
  if (typeof BroadcastChannel === 'undefined' || ended.aborted) return () => undefined;
  const channel = new BroadcastChannel(key);
  channel.onmessage = ({ data }: MessageEvent<News>) => hear(data);
  ended.addEventListener('abort', () => channel.close(), { once: true });
  return (news) => {
    if (!ended.aborted) channel.postMessage(news);
  };
};
