import { errorToData, NodeError } from '../protocol/errors.ts';
import { holdLock, whenReleased } from '../protocol/port.ts';
import type { TabNode } from '../start.ts';
import { pipe } from './pipe.ts';
import { leaderLock, meetingName, portName, type Question, type Reply } from './words.ts';

/** Each window holds a connection or two. */
const maxPorts = 200;

/**
 * Lets other tabs of this origin use the node until the signal fires. `chain` is the name of its database. They may do what
 * this page may: an origin is one party.
 */
export const offerNode = (
  chain: string,
  node: Pick<TabNode, 'info' | 'openPort' | 'status'>,
  signal: AbortSignal,
): void => {
  if (typeof BroadcastChannel === 'undefined' || signal.aborted) return;
  const meeting = new BroadcastChannel(meetingName(chain));
  const leader = crypto.randomUUID();
  let ports = 0;
  const reply = (word: Reply): void => {
    if (!signal.aborted) meeting.postMessage(word);
  };
  const guests = new Map<string, AbortController>();
  /** Fires when the tab is gone: one that is closed or reloaded says nothing. */
  const endOf = (guest: string): AbortSignal => {
    const known = guests.get(guest);
    if (known !== undefined) return known.signal;
    const ended = new AbortController();
    guests.set(guest, ended);
    whenReleased(guest, signal, () => {
      guests.delete(guest);
      ended.abort();
    });
    return ended.signal;
  };
  const open = async ({ id, guest, options }: Extract<Question, { ask: 'open' }>): Promise<void> => {
    if (ports >= maxPorts) throw new NodeError('LimitReached');
    const port = await node.openPort(options);
    ports += 1;
    pipe(port, portName(id), AbortSignal.any([signal, endOf(guest)]), () => {
      ports -= 1;
    });
  };
  const answer = async (question: Question): Promise<void> => {
    const { id } = question;
    if (question.ask === 'who') return reply({ reply: 'who', id, leader, info: node.info });
    if (question.to !== leader) return;
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
  meeting.onmessage = ({ data }: MessageEvent<Question | Reply>) => {
    if ('ask' in data) void answer(data);
  };
  signal.addEventListener('abort', () => meeting.close(), { once: true });
  // Nobody finds the leader before it holds its lock.
  holdLock(leaderLock(leader), signal, () => undefined);
};
