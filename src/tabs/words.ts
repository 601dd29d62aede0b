import type { ErrorData } from '../protocol/errors.ts';
import type { ConnectOptions, NodeStatus, Outcome, StartInfo } from '../protocol/node.ts';

/** What a tab without the node asks; `id` is that of the question. */
export type Question =
  | { readonly ask: 'who'; readonly id: string }
  /** `to`: the leader that is meant; `guest`: the lock of the tab that asks, which it holds while it lives. The port is served on the channel `portName(id)`. */
  | {
      readonly ask: 'open';
      readonly id: string;
      readonly to: string;
      readonly guest: string;
      readonly options: Partial<ConnectOptions>;
    }
  | { readonly ask: 'status'; readonly id: string; readonly to: string };

/** What the tab that runs the node replies. */
export type Reply =
  | {
      readonly reply: 'who';
      readonly id: string;
      readonly leader: string;
      readonly info: StartInfo;
    }
  | { readonly reply: 'open'; readonly id: string; readonly error: ErrorData | null }
  | { readonly reply: 'status'; readonly id: string; readonly outcome: Outcome<NodeStatus> };

/** The channel of one port. */
export const portName = (id: string): string => `tabnode.port:${id}`;

/** The channel on which tabs find the one that runs a stored chain's node. */
export const meetingName = (chain: string): string => `tabnode.node:${chain}`;

/** Held by the tab that runs a node, so that the others learn of its end. */
export const leaderLock = (leader: string): string => `tabnode.leader:${leader}`;
