import type { Gossip } from './gossip.ts';
import type { BlockLink } from './lineage.ts';
import { decodeMessage, encodeMessage, type Message, votePayload } from './messages.ts';
import { keyOf, simpleCrypto } from './peer.fixture.ts';

/** How a voter misbehaves: it votes twice, says nothing, or lies about rounds and commits. */
export type Evil = 'equivocates' | 'silent' | 'lies';

type Surroundings = {
  readonly random: () => number;
  /** All blocks that were ever made. */
  readonly blocks: readonly BlockLink[];
  readonly voters: number;
  readonly index: number;
  readonly deliver: (from: number, to: number, bytes: Uint8Array) => void;
};

const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

/** The same vote for another block. */
const other = ({ random, blocks, index }: Surroundings, bytes: Uint8Array): Uint8Array => {
  const message = decodeMessage(bytes);
  if (message?.type !== 'vote' || `${message.vote.voter}` !== `${keyOf(index)}`) return bytes;
  const { hash, number } = pick(random, blocks.slice(-8));
  const vote = { kind: message.vote.kind, target: { hash, number } };
  const payload = votePayload(vote, message.round, message.setId);
  const signature = simpleCrypto.ed25519Sign(keyOf(index), payload);
  return encodeMessage({ ...message, vote: { ...vote, signature, voter: keyOf(index) } });
};

/** A message that no honest voter sends. */
const lie = ({ random, blocks, index, voters }: Surroundings): Message => {
  const round = BigInt(Math.floor(random() * 50));
  const { hash, number } = pick(random, blocks.slice(-8));
  const target = { hash, number };
  const payload = votePayload({ kind: 1, target }, round, 0n);
  const own = { target, signature: simpleCrypto.ed25519Sign(keyOf(index), payload), voter: keyOf(index) };
  const forged = Array.from({ length: voters }, (_, one) => ({
    target,
    signature: new Uint8Array(64),
    voter: keyOf(one),
  }));
  const lies: readonly Message[] = [
    { type: 'commit', round, setId: 0n, commit: { target, precommits: forged } },
    { type: 'neighbor', round: round + 10n, setId: 0n, height: number + 5 },
    { type: 'commit', round, setId: 0n, commit: { target, precommits: [own, own] } },
    {
      type: 'catch-up',
      setId: 0n,
      catchUp: { round: round + 5n, prevotes: [own], precommits: [own], base: target },
    },
    { type: 'catch-up-request', round, setId: 0n },
  ];
  return pick(random, lies);
};

/** The link of a voter that misbehaves. */
export const tamper = (kind: Evil, link: Gossip, around: Surroundings): Gossip => {
  const { voters, index, deliver } = around;
  const others = Array.from({ length: voters }, (_, one) => one).filter((one) => one !== index);
  if (kind === 'silent') return { ...link, broadcast: () => undefined, send: () => undefined };
  if (kind === 'lies')
    return {
      ...link,
      broadcast: (bytes) => {
        link.broadcast(bytes);
        link.broadcast(encodeMessage(lie(around)));
      },
    };
  return {
    ...link,
    broadcast: (bytes) => {
      for (const to of others) deliver(index, to, around.random() < 0.5 ? bytes : other(around, bytes));
    },
  };
};
