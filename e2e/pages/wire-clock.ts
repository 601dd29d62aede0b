// A thread between a page and its node. It passes everything on, and records when each watched transaction
// was reported as in a block and as finalized. The page's own clock would also measure how busy the page is.

/**
 * What the thread has recorded: how many transactions had both statuses, and the longest time between the
 * two, in ms.
 */
export type WireTimes = { readonly finalized: number; readonly slowestMs: number };

type Ports = { readonly node: MessagePort; readonly page: MessagePort };

const inBlockMs = new Map<string, number>();
let finalized = 0;
let slowestMs = 0;

const note = (text: unknown): void => {
  if (typeof text !== 'string' || !text.includes('"author_extrinsicUpdate"')) return;
  const { subscription, result } = JSON.parse(text).params as { subscription: string; result: unknown };
  // The other statuses are words, such as "ready".
  if (typeof result !== 'object' || result === null) return;
  if ('inBlock' in result) inBlockMs.set(subscription, performance.now());
  const since = inBlockMs.get(subscription);
  if (!('finalized' in result) || since === undefined) return;
  finalized += 1;
  slowestMs = Math.max(slowestMs, performance.now() - since);
};

const relay = ({ node, page }: Ports): void => {
  page.onmessage = ({ data }) => node.postMessage(data);
  node.onmessage = ({ data }) => {
    for (const text of Array.isArray(data) ? data : [data]) note(text);
    page.postMessage(data);
  };
};

// Receives the ports to connect, or null as a request for the times.
self.addEventListener('message', ({ data }: MessageEvent<Ports | null>) => {
  if (data !== null) relay(data);
  else postMessage({ finalized, slowestMs: Math.round(slowestMs) } satisfies WireTimes);
});
