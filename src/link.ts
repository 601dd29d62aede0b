import type { TabNode } from './tab-node.ts';

/** A node that can be linked: one that runs in this page or process. */
export type LinkableNode = Pick<TabNode, 'openLink'>;

export type NodeLink = {
  /** Cuts the link. Both nodes keep running. */
  close(): Promise<void>;
};

/**
 * Lets two nodes of the same chain exchange new blocks and GRANDPA votes. A node that lacks blocks gets
 * them from the other. The link ends with either node.
 */
export const connectNodes = async (first: LinkableNode, second: LinkableNode): Promise<NodeLink> => {
  const { port1, port2 } = new MessageChannel();
  const cuts = await Promise.all([first.openLink(port1), second.openLink(port2)]);
  return {
    close: async () => {
      await Promise.all(cuts.map((cut) => cut()));
    },
  };
};
