import { errorToData, NodeError } from '../protocol/errors.ts';
import { holdLock, whenReleased } from '../protocol/port.ts';
import type { TabNode } from '../tab-node.ts';
import {
  type LeaderLeft,
  leaderLock,
  parseMessage,
  portName,
  type TabReply,
  type TabRequest,
  tabChannelName,
} from './messages.ts';
import { pipe } from './pipe.ts';

/** Each window opens one or two connections. */
const maxPorts = 200;
const maxGuests = 100;

/** A tab that uses the node. */
export type GuestInfo = {
  readonly sinceMs: number;
  /** Closes its connections. The tab may connect again. */
  disconnect(): void;
};
type Guest = GuestInfo & { readonly signal: AbortSignal };

/** What the other tabs use of the node. */
export type Led = Pick<TabNode, 'info' | 'openPort' | 'status'>;

export type Lead = {
  hasGuests(): boolean;
  /** Tells the other tabs to continue without this one, which no longer responds. */
  leave(): void;
};

/**
 * Lets other tabs of this origin use the node until the signal fires. `chain` is the name of its database. They may do what
 * this page may: an origin is one party. `onStolen`: this tab did not respond, and another has taken over the chain.
 * `onGuests` receives the tabs that use the node, whenever they change.
 */
export const leadTabs = (
  chain: string,
  node: Led,
  signal: AbortSignal,
  onStolen: () => void = () => undefined,
  onGuests: (guests: readonly GuestInfo[]) => void = () => undefined,
): Lead => {
  const guests = new Map<string, Guest>();
  const hasGuests = (): boolean => guests.size > 0;
  if (typeof BroadcastChannel === 'undefined' || signal.aborted) return { hasGuests, leave: () => undefined };
  const tabChannel = new BroadcastChannel(tabChannelName(chain));
  const leader = crypto.randomUUID();
  /** Those being opened as well: others are requested meanwhile, and the tab may give up. */
  const ports = new Set<{ readonly id: string; readonly closer: AbortController }>();
  const report = (): void =>
    onGuests([...guests.values()].map(({ sinceMs, disconnect }) => ({ sinceMs, disconnect })));
  const reply = (message: TabReply): void => {
    if (!signal.aborted) tabChannel.postMessage(message);
  };
  /** Fires when the tab is gone: one that is closed or reloaded says nothing. */
  const endOf = (guest: string): AbortSignal => {
    const known = guests.get(guest);
    if (known !== undefined) return known.signal;
    if (guests.size >= maxGuests) throw new NodeError('LimitReached');
    const ended = new AbortController();
    const disconnect = (): void => {
      if (ended.signal.aborted) return;
      guests.delete(guest);
      ended.abort();
      report();
    };
    guests.set(guest, { sinceMs: Date.now(), signal: ended.signal, disconnect });
    report();
    whenReleased(guest, AbortSignal.any([signal, ended.signal]), disconnect);
    return ended.signal;
  };
  const open = async ({ id, guest, options }: Extract<TabRequest, { ask: 'open' }>): Promise<void> => {
    if (ports.size >= maxPorts) throw new NodeError('LimitReached');
    const ended = endOf(guest);
    const port = { id, closer: new AbortController() };
    ports.add(port);
    const close = (): void => void ports.delete(port);
    const opening = node.openPort(options);
    opening.catch(close);
    pipe(await opening, portName(id), AbortSignal.any([signal, ended, port.closer.signal]), close);
  };
  const answer = async (question: TabRequest): Promise<void> => {
    const { id } = question;
    if (question.ask === 'who') return reply({ reply: 'who', id, leader, info: node.info });
    if (question.to !== leader) return;
    if (question.ask === 'close') {
      for (const port of ports) if (port.id === id) port.closer.abort();
      return;
    }
    try {
      if (question.ask === 'open') {
        await open(question);
        reply({ reply: 'open', id, error: null });
      } else reply({ reply: 'status', id, outcome: { ok: true, value: await node.status() } });
    } catch (error) {
      const data = errorToData(error);
      if (question.ask === 'open') reply({ reply: 'open', id, error: data });
      else reply({ reply: 'status', id, outcome: { ok: false, error: data } });
    }
  };
  tabChannel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseMessage(data);
    if (message !== null && 'ask' in message) void answer(message);
  };
  signal.addEventListener('abort', () => tabChannel.close(), { once: true });
  // Nobody finds the leader before it holds its lock.
  holdLock(leaderLock(chain, leader), signal, () => undefined, onStolen);
  return {
    hasGuests,
    leave: () => {
      tabChannel.postMessage({ left: leader } satisfies LeaderLeft);
      tabChannel.close();
    },
  };
};
