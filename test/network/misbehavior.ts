import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import type { BlockRef } from '../../worker/chain/tree.ts';
import { bytesToBlockHash } from '../../worker/codec/identity.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import type { rates } from '../../worker/consensus/grandpa/voter/gossip.ts';
import { decodeMessage } from '../../worker/consensus/grandpa/voter/messages.ts';
import { encodeBlockResponse, encodeFound } from '../../worker/network/protocol/block-request.ts';
import type { reputationChanges } from '../../worker/network/reputation-changes.ts';
import { type DevNode, rejection } from '../rigs/dev-node.ts';
import type { MadeUpPeer, PeerOptions } from './made-up-peer.ts';
import type { SkippingClock } from './skipping-clock.ts';
import { catchUpOf, commitOf, neighbor, requestCatchUp, signVote, voteOf } from './vote-messages.ts';

/** The node that peers misbehave against: it has Alice's key, and Bob is the other authority. */
export type Victim = {
  readonly dev: DevNode;
  readonly clock: SkippingClock;
  /** The first block of its chain, which it lacks. */
  readonly block: SignedBlock;
  /** A transfer that its pool lacks. */
  readonly transfer: string;
};

export type Misbehavior<Entry> = {
  /** What the peer does. */
  readonly does: string;
  /** The entries of our table that it is to reach. */
  readonly entries: readonly Entry[];
  /** The SDK's amounts, in their order. */
  readonly sdk: readonly number[];
  /** It stays a peer by default. */
  readonly outcome?: 'is disconnected' | 'is banned';
  /** How the peer is made, and what it does once it is a peer. */
  readonly peer?: (victim: Victim) => PeerOptions;
  readonly act?: (peer: MadeUpPeer, victim: Victim) => Promise<unknown> | unknown;
};

export const refOf = ({ dev }: Pick<Victim, 'dev'>, { header }: SignedBlock): BlockRef => ({
  hash: hashHeader(dev.node.parts.crypto, header),
  number: header.number,
});

const unknownBlock: BlockRef = { hash: bytesToBlockHash(new Uint8Array(32).fill(0x66)), number: 9 };

/** Its best block is unknown to the node, which asks for it. */
const responding = (respond: PeerOptions['respond']) => () => ({
  best: unknownBlock,
  ...(respond === undefined ? {} : { respond }),
});

/** Its best block is this one, and it responds with that, or with parts of it. */
const serving =
  (alter: (block: SignedBlock) => SignedBlock, parts = 19) =>
  (victim: Victim): PeerOptions => {
    const block = alter(victim.block);
    const found = { hash: refOf(victim, block).hash, block };
    const response = encodeBlockResponse([encodeFound(found, { parts, takesSeveral: true })]);
    return { best: refOf(victim, block), respond: () => response };
  };

const altered = (block: SignedBlock): SignedBlock => ({
  ...block,
  header: { ...block.header, stateRoot: block.header.stateRoot.with(31, 1) },
});

const withJunkProof = (block: SignedBlock): SignedBlock => ({
  ...block,
  justifications: [[Uint8Array.of(0x46, 0x52, 0x4e, 0x4b), Uint8Array.of(1, 2, 3)]],
});

const listOf = (extrinsic: string): Uint8Array =>
  new Writer(1).compact(1).raw(hexToBytes(extrinsic)).finish();

/** One of the bytes in the middle is part of the signature. */
const withBadSignature = (extrinsic: string): string => {
  const bytes = hexToBytes(extrinsic);
  return bytesToHex(bytes.with(64, (bytes[64] ?? 0) ^ 1));
};

/** The same request, so many times. */
const requestAgain = async (peer: MadeUpPeer, times: number, parts: number): Promise<void> => {
  for (let count = 0; count < times; count++) await rejection(peer.request({ parts, from: 0, max: 1 }));
};

/** In the order in which they happen: the node gets the block by one of them. */
export const networkMisbehavior: readonly Misbehavior<keyof typeof reputationChanges>[] = [
  {
    ...{ does: 'is on another chain', entries: ['fatal'], sdk: [-(2 ** 31)], outcome: 'is banned' },
    peer: () => ({ status: (bytes) => bytes.with(40, 7) }),
  },
  {
    ...{ does: 'sends announcements without meaning', entries: ['badAnnouncement'], sdk: [-4096] },
    act: (peer) => peer.sendRaw(Uint8Array.of(1, 2, 3)),
  },
  {
    ...{ does: 'leaves', entries: ['disconnected'], sdk: [-256], outcome: 'is disconnected' },
    act: (peer) => peer.leave(),
  },
  {
    ...{ does: 'responds with no blocks', entries: ['badResponse'], sdk: [-(2 ** 29)] },
    ...{ outcome: 'is disconnected', peer: responding(() => new Uint8Array(0)) },
  },
  {
    ...{ does: 'responds without meaning', entries: ['undecodable'], sdk: [-4096] },
    ...{ outcome: 'is disconnected', peer: responding(() => Uint8Array.of(7, 7, 7)) },
  },
  {
    ...{ does: 'responds without headers', entries: ['incompleteResponse'], sdk: [-4096] },
    ...{ outcome: 'is disconnected', peer: serving((block) => block, 2) },
  },
  {
    ...{ does: 'refuses the request', entries: ['refused'], sdk: [-1024], outcome: 'is disconnected' },
    peer: responding(() => null),
  },
  {
    ...{ does: 'does not serve blocks', entries: ['refused'], sdk: [-1024], outcome: 'is disconnected' },
    peer: () => ({ best: unknownBlock, servesBlocks: false }),
  },
  {
    ...{ does: 'never responds', entries: ['timeout'], sdk: [-1024], outcome: 'is disconnected' },
    peer: responding(() => new Promise<null>(() => undefined)),
    act: async (peer, { clock }) => {
      await peer.requests.next();
      clock.skip(20_000);
    },
  },
  {
    ...{ does: 'leaves while it is asked', entries: ['disconnected'], sdk: [-256] },
    ...{ outcome: 'is disconnected', peer: responding(() => new Promise<null>(() => undefined)) },
    act: async (peer) => {
      await peer.requests.next();
      peer.leave();
    },
  },
  {
    ...{ does: 'requests the same block three times', entries: ['sameRequest'], sdk: [-4096] },
    act: (peer) => requestAgain(peer, 3, 19),
  },
  {
    ...{ does: 'requests the same header three times', entries: ['sameSmallRequest'], sdk: [-1024] },
    act: (peer) => requestAgain(peer, 3, 1),
  },
  {
    ...{ does: 'sends transactions without meaning', entries: ['undecodable'], sdk: [-4096] },
    act: (peer) => peer.submit(Uint8Array.of(255, 1)),
  },
  {
    ...{ does: 'sends a transaction', entries: ['transaction', 'goodTransaction'], sdk: [-16, 128] },
    act: (peer, { transfer }) => peer.submit(listOf(transfer)),
  },
  {
    ...{ does: 'sends it as well', entries: ['transaction', 'knownTransaction'], sdk: [-16, 16] },
    act: (peer, { transfer }) => peer.submit(listOf(transfer)),
  },
  {
    ...{
      does: 'sends an invalid transaction',
      entries: ['transaction', 'badTransaction'],
      sdk: [-16, -4096],
    },
    act: (peer, { transfer }) => peer.submit(listOf(withBadSignature(transfer))),
  },
  {
    ...{ does: 'sends a bad block', entries: ['badBlock'], sdk: [-(2 ** 29)] },
    ...{ outcome: 'is disconnected', peer: serving(altered) },
  },
  {
    ...{ does: 'sends a bad proof with a good block', entries: ['badJustification'], sdk: [-(2 ** 16)] },
    peer: serving(withJunkProof),
  },
];

const genesis = ({ dev }: Victim): BlockRef => ({ hash: dev.node.parts.chain.genesisHash, number: 0 });

/** Claims to be a round ahead of the given one, is asked for that, and replies. */
const replyWith =
  (round: bigint, reply: (victim: Victim) => Uint8Array | null) =>
  async (peer: MadeUpPeer, victim: Victim): Promise<void> => {
    await peer.vote(neighbor(round + 1n));
    while (decodeMessage(await peer.votes.next())?.type !== 'catch-up-request');
    const bytes = reply(victim);
    if (bytes !== null) await peer.vote(bytes);
  };

type VoteMisbehavior = Misbehavior<keyof typeof rates>;

/** Sends votes, one after another. */
const votes =
  (make: (victim: Victim) => readonly Uint8Array[]) =>
  async (peer: MadeUpPeer, victim: Victim): Promise<void> => {
    for (const bytes of make(victim)) await peer.vote(bytes);
  };

/** The node is in round 1 of set 0, and has the block above; it catches up to round 6. */
export const voteMisbehavior: readonly VoteMisbehavior[] = [
  {
    ...{ does: 'repeats a neighbor packet', entries: ['neighbor', 'repeatedNeighbor'], sdk: [100, -500] },
    act: votes(() => [neighbor(1n), neighbor(1n)]),
  },
  {
    ...{ does: 'goes back by a round', entries: ['neighbor', 'viewChange'], sdk: [100, -500] },
    act: votes(() => [neighbor(2n), neighbor(1n)]),
  },
  {
    ...{ does: 'sends 50 bytes without meaning', entries: ['undecodableByte'], sdk: [-250] },
    act: votes(() => [new Uint8Array(50).fill(255)]),
  },
  {
    ...{ does: 'sends a vote of nobody', entries: ['unknownVoter'], sdk: [-150] },
    act: votes((victim) => [voteOf(1n, signVote(0, genesis(victim), 1n, '//Eve'))]),
  },
  {
    ...{ does: 'sends a vote with a bad signature', entries: ['badSignature'], sdk: [-100] },
    act: votes((victim) => [voteOf(1n, signVote(0, genesis(victim), 1n, '//Bob', '//Eve'))]),
  },
  {
    ...{ does: 'sends votes of the future', entries: ['future', 'future'], sdk: [-500, -500] },
    act: votes((victim) => {
      const vote = signVote(0, genesis(victim), 5n, '//Bob');
      return [voteOf(5n, vote), voteOf(1n, vote, 1n)];
    }),
  },
  {
    ...{ does: 'sends a commit of a final block', entries: ['past'], sdk: [-50] },
    act: votes((victim) => [commitOf(1n, genesis(victim))]),
  },
  {
    ...{ does: 'asks to catch up without being behind', entries: ['outOfScope'], sdk: [-500] },
    act: votes(() => [requestCatchUp(1n)]),
  },
  {
    ...{ does: 'sends a commit of one voter', entries: ['malformedCommit'], sdk: [-1000] },
    act: votes((victim) => [commitOf(1n, refOf(victim, victim.block), ['//Bob'])]),
  },
  {
    ...{ does: 'sends a commit with bad signatures', entries: ['invalidCommit'], sdk: [-5000] },
    act: votes((victim) => [commitOf(1n, refOf(victim, victim.block), undefined, 2n)]),
  },
  {
    ...{ does: 'sends a good vote', entries: ['vote'], sdk: [100] },
    act: votes((victim) => [voteOf(1n, signVote(0, genesis(victim), 1n, '//Bob'))]),
  },
  {
    ...{ does: 'has no votes of the round it claims', entries: ['neighbor', 'malformedCatchUp'] },
    ...{ sdk: [100, -1000] },
    act: replyWith(5n, (victim) => catchUpOf(5n, genesis(victim), { precommits: [] })),
  },
  {
    ...{ does: 'has bad votes of the round it claims', entries: ['neighbor', 'invalidCatchUp'] },
    ...{ sdk: [100, -5000] },
    act: replyWith(5n, (victim) => catchUpOf(5n, genesis(victim), {}, 4n)),
  },
  {
    ...{ does: 'never sends the votes it was asked for', entries: ['neighbor', 'catchUpTimeout'] },
    sdk: [100, -200],
    act: async (peer, victim) => {
      await replyWith(5n, () => null)(peer, victim);
      victim.clock.skip(45_000);
    },
  },
  {
    ...{ does: 'helps to catch up', entries: ['neighbor', 'catchUp'], sdk: [100, 200] },
    act: replyWith(5n, (victim) => catchUpOf(5n, genesis(victim))),
  },
  {
    ...{ does: 'asks to catch up', entries: ['neighbor', 'catchUpReply'], sdk: [100, -200] },
    act: votes(() => [neighbor(4n), requestCatchUp(5n)]),
  },
  {
    ...{ does: 'sends a good commit', entries: ['commit'], sdk: [100] },
    act: votes((victim) => [commitOf(6n, refOf(victim, victim.block))]),
  },
];
