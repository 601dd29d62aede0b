import type { ErrorData } from '../protocol/errors.ts';
import type { ConnectOptions, NodeStatus, Outcome, StartInfo } from '../protocol/node.ts';

/** Requests from a tab without the node; `id` identifies the request. */
export type Question =
  | { readonly ask: 'who'; readonly id: string }
  /**
   * `to`: the addressed leader; `guest`: a lock that the requesting tab holds while it lives. The port is
   * served on the channel `portName(id)`.
   */
  | {
      readonly ask: 'open';
      readonly id: string;
      readonly to: string;
      readonly guest: string;
      readonly options: Partial<ConnectOptions>;
    }
  | { readonly ask: 'status'; readonly id: string; readonly to: string };

/** Replies from the tab that runs the node. */
export type Reply =
  | {
      readonly reply: 'who';
      readonly id: string;
      readonly leader: string;
      readonly info: StartInfo;
    }
  | { readonly reply: 'open'; readonly id: string; readonly error: ErrorData | null }
  | { readonly reply: 'status'; readonly id: string; readonly outcome: Outcome<NodeStatus> };

/** What that tab says of itself before the browser freezes it. */
export type Farewell = { readonly left: string };

/** The channel of one port. */
export const portName = (id: string): string => `tabnode.port:${id}`;

/** The channel on which tabs find the tab that runs a stored chain's node. */
export const meetingName = (chain: string): string => `tabnode.node:${chain}`;

/** Held by the tab that runs a node, so that the others learn of its end. */
export const leaderLock = (chain: string, leader: string): string => `tabnode.leader:${chain}:${leader}`;

/** Held by the tab that seizes a chain from one that does not respond. */
export const seizeLock = (chain: string): string => `tabnode.seize:${chain}`;

/** Held by the tab that keeps a worker ready. */
export const standbyLock = (chain: string): string => `tabnode.standby:${chain}`;
