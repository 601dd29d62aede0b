import type { ErrorData } from '../protocol/errors.ts';
import type { ConnectOptions, NodeStatus, Outcome, StartInfo } from '../protocol/node.ts';

/** Requests from a tab without the node; `id` identifies the request. */
export type TabRequest =
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
  /** The tab no longer waits for the port with this id, or for its reply: nobody would close it otherwise. */
  | { readonly ask: 'close'; readonly id: string; readonly to: string }
  | { readonly ask: 'status'; readonly id: string; readonly to: string };

/** Replies from the tab that runs the node. */
export type TabReply =
  | {
      readonly reply: 'who';
      readonly id: string;
      readonly leader: string;
      readonly info: StartInfo;
    }
  | { readonly reply: 'open'; readonly id: string; readonly error: ErrorData | null }
  | { readonly reply: 'status'; readonly id: string; readonly outcome: Outcome<NodeStatus> };

/** Announced by that tab before the browser freezes it. */
export type LeaderLeft = { readonly left: string };

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= maxText;
/** Ids and the names of locks have fewer letters. */
const maxText = 200;

const isQuestion = ({ ask, to, guest, options }: Json): boolean => {
  if (ask === 'who') return true;
  if (ask === 'status' || ask === 'close') return isText(to);
  return ask === 'open' && isText(to) && isText(guest) && guest.startsWith(guestPrefix) && isRecord(options);
};

const isReply = ({ reply, leader, info, outcome, error }: Json): boolean => {
  if (reply === 'who') return isText(leader) && isRecord(info) && typeof info['genesisHash'] === 'string';
  if (reply === 'status') return isRecord(outcome) && typeof outcome['ok'] === 'boolean';
  return reply === 'open' && (error === null || isRecord(error));
};

/** A message on a meeting channel; null for anything else, because any script of the origin can post there. */
export const parseMessage = (data: unknown): TabRequest | TabReply | LeaderLeft | null => {
  if (!isRecord(data)) return null;
  if ('left' in data) return isText(data['left']) ? (data as LeaderLeft) : null;
  if (!isText(data['id'])) return null;
  return isQuestion(data) || isReply(data) ? (data as TabRequest | TabReply) : null;
};

const guestPrefix = 'tabnode.guest:';

/** Held by a tab that uses another's node, under a name of its own. */
export const guestLock = (guest: string): string => guestPrefix + guest;

/** The channel of one port. */
export const portName = (id: string): string => `tabnode.port:${id}`;

/** The channel on which tabs find the tab that runs a stored chain's node. */
export const tabChannelName = (chain: string): string => `tabnode.node:${chain}`;

/** Held by the tab that seizes a chain from one that does not respond. */
export const seizeLock = (chain: string): string => `tabnode.seize:${chain}`;

/** Held by the tab that keeps a worker ready. */
export const standbyLock = (chain: string): string => `tabnode.standby:${chain}`;

/** Held by the tab that runs a node, so that the others learn of its end. */
export const leaderLock = (chain: string, leader: string): string => `tabnode.leader:${chain}:${leader}`;
