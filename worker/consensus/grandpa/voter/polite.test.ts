import { beforeEach, expect, test } from 'vitest';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { rates, repeatedWithinMs, type View } from './gossip.ts';
import { decodeMessage, encodeMessage, type Message, precommit } from './messages.ts';
import { type Carrier, createPoliteGossip, type PoliteGossip } from './polite.ts';

const block = (number: number) => ({ hash: bytesToBlockHash(new Uint8Array(32).fill(number)), number });
const signed = (voter: number, number: number) => ({
  target: block(number),
  signature: new Uint8Array(64).fill(voter),
  voter: new Uint8Array(32).fill(voter),
});
const vote = (voter: number, round: bigint, setId = 0n): Message => ({
  ...{ type: 'vote', round, setId },
  vote: { kind: precommit, ...signed(voter, 9) },
});
const commit = (number: number, setId = 0n): Message => ({
  ...{ type: 'commit', round: 3n, setId },
  commit: { target: block(number), precommits: [signed(1, number)] },
});
const neighbor = (round: bigint, height = 0, setId = 0n): Message => ({
  ...{ type: 'neighbor', round, setId, height },
});

/** Messages that reached a peer, in short. */
let sent: string[] = [];
let names: string[] = [];
let nowMs = 0;
let gossip: PoliteGossip;
let receive: (peer: string, bytes: Uint8Array) => void;
let leave: (peer: string) => void;

const nameOf = (message: Message | null): string => {
  if (message?.type === 'vote') return `vote of ${message.vote.voter[0]} in ${message.round}`;
  if (message?.type === 'commit') return `commit of ${message.commit.target.number}`;
  return message?.type === 'neighbor' ? `at ${message.round} with ${message.height}` : String(message?.type);
};

beforeEach(() => {
  [sent, names, nowMs] = [[], ['a', 'b'], 0];
  const carrier: Carrier = {
    peers: () => names,
    send: (peer, bytes) => void sent.push(`${peer}: ${nameOf(decodeMessage(bytes))}`),
    rate: () => undefined,
    onMessage: (listener) => {
      receive = listener;
      return () => undefined;
    },
    onPeer: () => () => undefined,
    onLeave: (listener) => {
      leave = listener;
      return () => undefined;
    },
  };
  gossip = createPoliteGossip(carrier, () => nowMs);
  gossip.onMessage((peer, bytes) => {
    const message = decodeMessage(bytes);
    if (message?.type === 'neighbor') gossip.views.note(peer, { ...(message as View), atMs: nowMs });
  });
});

const takeSent = (): string[] => sent.splice(0);
const say = (peer: string, message: Message): void => receive(peer, encodeMessage(message));
const tell = (message: Message, from?: string): string[] => {
  gossip.broadcast(encodeMessage(message), from);
  return takeSent();
};

test('a vote goes to the peers whose round is at most one away, in the same set', () => {
  say('a', neighbor(5n));
  say('b', neighbor(5n, 0, 1n));
  expect([3n, 4n, 5n, 6n, 7n].flatMap((round) => tell(vote(1, round)))).toEqual([
    'a: vote of 1 in 4',
    'a: vote of 1 in 5',
    'a: vote of 1 in 6',
  ]);
  expect(tell(vote(1, 5n, 1n))).toEqual(['b: vote of 1 in 5']);
});

test('a peer that has said nothing is in the first round', () => {
  expect(tell(vote(1, 3n))).toEqual([]);
  expect(tell(vote(1, 2n))).toEqual(['a: vote of 1 in 2', 'b: vote of 1 in 2']);
});

test('a commit goes to the peers that have less, in the same set', () => {
  say('a', neighbor(3n, 7));
  say('b', neighbor(3n, 8));
  expect(tell(commit(8))).toEqual(['a: commit of 8']);
  expect(tell(commit(9, 1n))).toEqual([]);
});

test('nothing goes out twice, nor back to where it came from', () => {
  expect(tell(vote(1, 1n), 'a')).toEqual(['b: vote of 1 in 1']);
  expect(tell(vote(1, 1n))).toEqual(['a: vote of 1 in 1']);
  say('a', vote(2, 1n));
  expect(tell(vote(2, 1n))).toEqual(['b: vote of 2 in 1']);
  gossip.send('b', encodeMessage(vote(2, 1n)));
  expect(takeSent()).toEqual([]);
});

test('a neighbor packet is repeated after a minute at the earliest, and never goes back', () => {
  const at = (round: bigint, height: number) => tell(neighbor(round, height)).length;
  expect([at(4n, 1), at(4n, 1), at(4n, 2), at(3n, 2), at(5n, 2)]).toEqual([2, 0, 2, 0, 2]);
  nowMs = repeatedWithinMs - 1;
  expect(at(5n, 2)).toBe(0);
  nowMs++;
  expect(at(5n, 2)).toBe(2);
  expect(tell(neighbor(1n, 2, 1n))).toHaveLength(2);
});

test('a peer that comes again, or repeats its position after a minute, gets everything again', () => {
  say('a', neighbor(1n));
  expect(tell(vote(1, 1n))).toHaveLength(2);
  leave('b');
  expect(tell(vote(1, 1n))).toEqual(['b: vote of 1 in 1']);
  say('a', neighbor(1n));
  expect(tell(vote(1, 1n))).toEqual([]);
  nowMs = repeatedWithinMs;
  say('a', neighbor(1n));
  expect(tell(vote(1, 1n))).toEqual(['a: vote of 1 in 1']);
});

test('what a peer has is forgotten when its position leaves it behind, and is not sent again', () => {
  for (let round = 1n; round <= 1000n; round++) {
    say('a', neighbor(round, Number(round) - 1));
    for (const message of [vote(1, round), vote(2, round), commit(Number(round) % 200)]) tell(message);
    say('a', vote(3, round));
    // The votes of the round and of the one before, and the commit of the block that the peer does not have.
    expect(gossip.knownTo('a')).toBeLessThanOrEqual(8);
  }
  expect(tell(vote(1, 999n))).toEqual([]);
  say('a', neighbor(1n, 999, 1n));
  expect(gossip.knownTo('a')).toBe(0);
  expect(tell(vote(1, 999n))).toEqual([]);
});

test('a peer that says nothing of its position is known to have so many messages at most', () => {
  for (let voter = 0; voter < 200; voter++)
    for (let round = 1n; round <= 25n; round++) say('a', vote(voter, round));
  expect(gossip.knownTo('a')).toBe(4096);
});

test('requests and replies to one peer always go out; what does not decode never does', () => {
  for (let times = 0; times < 2; times++)
    gossip.send('a', encodeMessage({ type: 'catch-up-request', round: 4n, setId: 0n }));
  expect(takeSent()).toEqual(['a: catch-up-request', 'a: catch-up-request']);
  gossip.send('a', Uint8Array.of(77));
  gossip.broadcast(Uint8Array.of(77));
  expect(takeSent()).toEqual([]);
  expect(rates.repeatedNeighbor).toBe(-500);
});
