import type { TabNode } from '../tab-node.ts';
import { attachNode } from '../tabs/attach.ts';
import {
  type OfferInfo,
  type OfferMessage,
  offerChain,
  offersChannel,
  parseOfferMessage,
} from './messages.ts';

/** A node that another page of this origin offers. */
export type FoundNode = Omit<OfferInfo, 'uuid'> & {
  /** The node; `stop` ends this page's use of it. Rejects with `Disconnected` if its page is gone. */
  open(): Promise<TabNode>;
};

/** Longer than a page that is not frozen takes to reply. */
const answerMs = 300;

/** The nodes that other pages of this origin currently offer with `offerNode`. */
export const findNodes = (): Promise<readonly FoundNode[]> =>
  new Promise((resolve) => {
    const channel = new BroadcastChannel(offersChannel);
    const found = new Map<string, FoundNode>();
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = parseOfferMessage(data);
      if (message === null || !('offer' in message)) return;
      const { uuid, name, genesisHash } = message.offer;
      const open = async () => (await attachNode(offerChain(uuid), new AbortController().signal)).node;
      found.set(uuid, { name, genesisHash, open });
    };
    channel.postMessage({ ask: 'offers' } satisfies OfferMessage);
    setTimeout(() => {
      channel.close();
      resolve([...found.values()]);
    }, answerMs);
  });
