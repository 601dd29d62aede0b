import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { catchUpMs, createCatchUps, nextPeerMs } from './catch-ups.ts';
import { createChecks } from './checks.ts';
import { createPeerViews, type Gossip, rates, repeatedWithinMs } from './gossip.ts';
import { createInbox } from './inbox.ts';
import { createLineage } from './lineage.ts';
import { decodeMessage, encodeMessage, type Message, type VoteKind, votePayload } from './messages.ts';
import { keyOf, simpleCrypto } from './peer.fixture.ts';
import { noCarrier } from './polite.ts';
import { createRounds } from './rounds.ts';

const hash = (number: number) => bytesToBlockHash(new Uint8Array(32).fill(number));
const block = (number: number) => ({ hash: hash(number), number });
const setId = 2n;
const now = { setId, round: 5n, height: 3 };

const sign = (voter: number, target: ReturnType<typeof block>, round = 5n, kind: VoteKind = 1) => ({
  target,
  signature: simpleCrypto.ed25519Sign(keyOf(voter), votePayload({ kind, target }, round, setId)),
  voter: keyOf(voter),
});
const vote = (voter: number, number: number, round = 5n, inSet = setId): Message => ({
  type: 'vote',
  round,
  setId: inSet,
  vote: { kind: 1, ...sign(voter, block(number), round) },
});

/** A commit for a block of this height; it is one of another round if its signatures are. */
const commit = (number: number, voters: readonly number[], signed = 5n): Message => ({
  type: 'commit',
  round: 5n,
  setId,
  commit: { target: block(number), precommits: voters.map((one) => sign(one, block(number), signed)) },
});

const crypto = { ...simpleCrypto };
afterEach(() => vi.restoreAllMocks());

let rated: number[] = [];
let sent: (Message | null)[] = [];
/** To whom. */
let receivers: string[] = [];
let timer: { readonly atMs: number; readonly run: () => void } | null = null;
let taken: Message[] = [];
let lineage = createLineage();
let rounds = createRounds();
let inbox: ReturnType<typeof createInbox>;
let peers: ReturnType<typeof createPeerViews>;
let catchUps: ReturnType<typeof createCatchUps>;
let nowMs = 0;

beforeEach(() => {
  [rated, sent, receivers, taken, nowMs] = [[], [], [], [], 0];
  now.round = 5n;
  lineage = createLineage();
  rounds = createRounds();
  for (let number = 3; number < 6; number++) lineage.add({ ...block(number), parent: hash(number - 1) });
  const authorities = [0, 1, 2, 3].map((one) => ({ publicKey: keyOf(one), weight: 1n }));
  const gossip: Gossip = {
    ...noCarrier,
    broadcast: () => undefined,
    rate: (_peer, change) => rated.push(change),
    send: (peer, bytes) => {
      sent.push(decodeMessage(bytes));
      receivers.push(peer);
    },
  };
  peers = createPeerViews();
  const schedule = (ms: number, run: () => void) => {
    timer = { atMs: nowMs + ms, run };
    return () => {
      timer = null;
    };
  };
  catchUps = createCatchUps({ gossip, now: () => nowMs, schedule, view: () => now, peers });
  inbox = createInbox({
    gossip,
    now: () => nowMs,
    peers,
    catchUps,
    checks: createChecks({ crypto, setId, authorities, lineage }),
    rounds,
    view: () => now,
    greet: () => undefined,
    last: () => ({ round: 4n, base: block(3), votes: [{ kind: 0, ...sign(0, block(3), 4n, 0) }] }),
    lastCommit: () => null,
    take: (message) => taken.push(message),
  });
});
const receive = (message: Message): void => inbox.receive('peer', encodeMessage(message));

test.each([
  ['an older set', vote(0, 4, 5n, 1n), rates.past],
  ['a later set', vote(0, 4, 5n, 3n), rates.future],
  ['an old round', vote(0, 4, 3n), rates.past],
  ['a far round', vote(0, 4, 7n), rates.future],
  ['an unknown voter', vote(9, 4), rates.unknownVoter],
  [
    'a block with another height',
    { ...vote(0, 4), vote: { kind: 1, ...sign(0, { ...block(4), number: 5 }) } },
    rates.badSignature,
  ],
  [
    'a commit of a final block',
    { type: 'commit', round: 5n, setId, commit: { target: block(3), precommits: [] } },
    rates.past,
  ],
  ['a commit with wrong signatures', commit(4, [0, 1, 2], 6n), rates.invalidCommit],
  ['a commit of too few voters', commit(4, [0, 1]), rates.malformedCommit],
  ['a commit with one vote three times', commit(4, [0, 0, 0]), rates.malformedCommit],
  [
    'a commit with more votes than there can be',
    commit(4, [0, 1, 2, 3, 0, 1, 2, 3, 0]),
    rates.malformedCommit,
  ],
  ['a commit of an unknown voter', commit(4, [0, 1, 2, 9]), rates.malformedCommit],
] as [string, Message, number][])('%s costs its sender, and is not taken', (_what, message, cost) => {
  receive(message);
  expect([rated, taken]).toEqual([[cost], []]);
});

test('a vote of this round and its neighbors is taken; bytes without meaning cost by length', () => {
  for (const round of [4n, 5n, 6n]) receive(vote(1, 4, round));
  expect(taken.length).toBe(3);
  inbox.receive('peer', new Uint8Array(7).fill(255));
  expect(rated).toEqual([rates.vote, rates.vote, rates.vote, 7 * rates.undecodableByte]);
});

test('a message of more than 1 MiB is not read, and costs by length', () => {
  const many = Array.from({ length: 8000 }, () => 0);
  const bytes = encodeMessage(commit(4, many));
  inbox.receive('peer', bytes);
  expect([rated, taken]).toEqual([[bytes.length * rates.undecodableByte], []]);
});

test('a vote for an unknown block waits for it once, and its signature is verified once', () => {
  const verify = vi.spyOn(crypto, 'ed25519Verify');
  for (let times = 0; times < 3; times++) receive(vote(1, 6));
  inbox.retry();
  expect([taken, inbox.waiting()]).toEqual([[], 1]);
  lineage.add({ ...block(6), parent: hash(5) });
  inbox.retry();
  expect([taken.length, inbox.waiting(), verify.mock.calls.length]).toEqual([1, 0, 1]);
});

test('a flood of messages for unknown blocks is bounded, and displaces none of other peers', () => {
  inbox.receive('other', encodeMessage(vote(1, 6)));
  for (let number = 0; number < 2000; number++) {
    const far = { hash: bytesToBlockHash(new Uint8Array(32).fill(99).fill(number & 255, 8)), number };
    receive({ type: 'vote', round: 5n, setId, vote: { kind: 1, ...sign(2, far) } });
  }
  expect(inbox.waiting()).toBe(512);
  lineage.add({ ...block(6), parent: hash(5) });
  inbox.retry();
  expect(taken).toEqual([vote(1, 6)]);
});

const neighbor = (round: bigint, inSet = setId): Message => ({
  type: 'neighbor',
  round,
  setId: inSet,
  height: 3,
});
const catchUp = (round: bigint, voters = [1, 2, 3]): Message => {
  const ofKind = (kind: VoteKind) => voters.map((one) => sign(one, block(3), round, kind));
  return {
    type: 'catch-up',
    setId,
    catchUp: { round, base: block(3), prevotes: ofKind(0), precommits: ofKind(1) },
  } as Message;
};

const request = (round: bigint): Message => ({ type: 'catch-up-request', round, setId });
const runTimer = (): void => {
  const { atMs, run } = timer as NonNullable<typeof timer>;
  nowMs = atMs;
  timer = null;
  run();
};

test('one peer after the other is asked to help catch up, and charged if it never replies', () => {
  for (const peer of ['peer', 'other']) inbox.receive(peer, encodeMessage(neighbor(9n)));
  nowMs += nextPeerMs - 1;
  inbox.receive('third', encodeMessage(neighbor(10n)));
  expect(receivers).toEqual(['peer']);
  // No further messages are needed.
  for (let step = 0; step < 2; step++) runTimer();
  expect(receivers).toEqual(['peer', 'other', 'third']);
  expect(sent).toEqual([request(8n), request(8n), request(9n)]);
  rated = [];
  while (rated.length === 0) runTimer();
  expect([rated, nowMs]).toEqual([[rates.catchUpTimeout], catchUpMs]);
  // It is asked again, and its late reply is welcome.
  expect(receivers.slice(3)).toEqual(['peer']);
  receive(catchUp(8n));
  expect(taken.length).toBe(1);
});

test('the next peer is asked at once if the one that was asked leaves, or sends a reply without votes', () => {
  for (const peer of ['peer', 'other', 'third']) inbox.receive(peer, encodeMessage(neighbor(9n)));
  peers.forget('peer');
  catchUps.forget('peer');
  expect(receivers).toEqual(['peer', 'other']);
  inbox.receive('other', encodeMessage(catchUp(8n, [])));
  expect(receivers).toEqual(['peer', 'other', 'third']);
  // Caught up: no peer is asked any more, and the timer ends.
  now.round = 9n;
  while (timer !== null) runTimer();
  expect(receivers.length).toBe(3);
});

test('a reply is taken once, from whom it was asked, if it is whole', () => {
  receive(catchUp(8n));
  expect([rated, taken]).toEqual([[rates.outOfScope], []]);
  const ask = (): void => {
    nowMs += catchUpMs;
    receive(neighbor(9n));
    rated = [];
  };
  ask();
  inbox.receive('other', encodeMessage(catchUp(8n)));
  expect([rated, taken]).toEqual([[rates.outOfScope], []]);
  receive(catchUp(7n));
  expect([rated.at(-1), taken]).toEqual([rates.malformedCatchUp, []]);
  ask();
  receive(catchUp(8n, []));
  expect([rated, taken]).toEqual([[rates.malformedCatchUp], []]);
  ask();
  receive(catchUp(8n));
  receive(catchUp(8n));
  expect(rated).toEqual([rates.catchUp, rates.outOfScope]);
  expect(taken.length).toBe(1);
});

test.each(['prevotes', 'precommits'] as const)(
  'a reply with wrong signatures of its %s is not taken',
  (kind) => {
    receive(neighbor(9n));
    rated = [];
    const reply = catchUp(8n) as Extract<Message, { type: 'catch-up' }>;
    const forged = reply.catchUp[kind].map((one) => ({ ...one, signature: new Uint8Array(64) }));
    receive({ ...reply, catchUp: { ...reply.catchUp, [kind]: forged } });
    expect([rated, taken]).toEqual([[rates.invalidCatchUp], []]);
  },
);

test('a reply that names unknown blocks waits for them like a vote', () => {
  const far = (kind: VoteKind) => [1, 2, 3].map((one) => sign(one, block(6), 8n, kind));
  receive(neighbor(9n));
  const reply = { round: 8n, base: block(3), prevotes: far(0), precommits: far(1) };
  receive({ type: 'catch-up', setId, catchUp: reply } as Message);
  expect([taken, inbox.waiting()]).toEqual([[], 1]);
  lineage.add({ ...block(6), parent: hash(5) });
  inbox.retry();
  expect([taken.length, inbox.waiting()]).toEqual([1, 0]);
});

test('neighbor packets are worth something, but not the same within a minute, nor one that goes back', () => {
  receive(neighbor(5n));
  nowMs += repeatedWithinMs - 1;
  receive(neighbor(5n));
  nowMs += repeatedWithinMs;
  receive(neighbor(5n));
  receive(neighbor(4n));
  expect(rated).toEqual([rates.neighbor, rates.repeatedNeighbor, rates.neighbor, rates.viewChange]);
});

test('a peer that is behind gets the votes it may lack', () => {
  rounds.add(5n, { kind: 1, ...sign(1, block(4)) });
  receive(neighbor(5n));
  expect(sent).toMatchObject([{ type: 'vote', round: 5n }]);
});

test('a vote is not sent to the peer that sent it, unless the peer repeats where it is', () => {
  for (const voter of [1, 2]) rounds.add(5n, { kind: 1, ...sign(voter, block(4)) });
  receive(vote(1, 4));
  receive(neighbor(5n));
  expect(sent).toEqual([vote(2, 4)]);
  receive(neighbor(5n));
  expect(sent.slice(1)).toEqual([vote(1, 4), vote(2, 4)]);
});

test('a request to catch up gets the last round, and costs as in the SDK', () => {
  const request = (round: bigint, inSet = setId): void =>
    receive({ type: 'catch-up-request', round, setId: inSet });
  // The peer's position is unknown.
  request(4n);
  receive(neighbor(3n));
  request(4n);
  expect(sent.filter((message) => message?.type === 'catch-up')).toMatchObject([
    { catchUp: { round: 4n, prevotes: [{}], precommits: [] } },
  ]);
  expect(rated).toEqual([rates.outOfScope, rates.neighbor, rates.catchUpReply]);
  rated = [];
  // A round that is not over, one in which the peer is, and another set.
  request(5n);
  request(3n);
  request(4n, setId - 1n);
  expect(rated).toEqual([rates.outOfScope, rates.outOfScope, rates.outOfScope]);
  now.round = 2n;
  request(4n, setId - 1n);
  expect(rated.at(-1)).toBe(rates.honestOutOfScope);
});

test('of one voter two votes of a kind are kept in a round', () => {
  const added = [3, 4, 4, 5].map((number) => rounds.add(5n, { kind: 1, ...sign(1, block(number)) }));
  expect(added).toEqual([true, true, false, false]);
  rounds.begin(8n);
  expect(rounds.size()).toBe(0);
});
