import { Reader } from '../../../bytes/reader.ts';
import { Writer } from '../../../bytes/writer.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import { readRef, writeRef } from '../../../codec/identity.ts';

/** The kinds of votes, as on the wire. */
export const prevote = 0;
export const precommit = 1;
/** The primary voter's proposal. */
export const proposal = 2;
export type VoteKind = typeof prevote | typeof precommit | typeof proposal;

export type Vote = { readonly kind: VoteKind; readonly target: BlockRef };
export type Signature = { readonly signature: Uint8Array; readonly voter: Uint8Array };
export type SignedVote = Vote & Signature;

/** A vote of a kind that the context gives. */
export type SignedTarget = Signature & { readonly target: BlockRef };
/** Precommits that finalize a block. */
export type Commit = { readonly target: BlockRef; readonly precommits: readonly SignedTarget[] };
/** A completed round with its votes. */
export type CatchUp = {
  readonly round: bigint;
  readonly prevotes: readonly SignedTarget[];
  readonly precommits: readonly SignedTarget[];
  readonly base: BlockRef;
};

/** What voters send one another (`/grandpa/1`). */
export type Message =
  | { readonly type: 'vote'; readonly round: bigint; readonly setId: bigint; readonly vote: SignedVote }
  | { readonly type: 'commit'; readonly round: bigint; readonly setId: bigint; readonly commit: Commit }
  | {
      readonly type: 'neighbor';
      readonly round: bigint;
      readonly setId: bigint;
      /** The height of the last block that a commit finalized. */
      readonly height: number;
    }
  | { readonly type: 'catch-up-request'; readonly round: bigint; readonly setId: bigint }
  | { readonly type: 'catch-up'; readonly setId: bigint; readonly catchUp: CatchUp };

/** Messages with signatures. */
export type Content = Extract<Message, { type: 'vote' | 'commit' | 'catch-up' }>;

const readKind = (reader: Reader): VoteKind => {
  const kind = reader.u8();
  if (kind > proposal) throw new RangeError(`there is no kind of vote ${kind}`);
  return kind as VoteKind;
};

export const readVote = (reader: Reader): Vote => ({ kind: readKind(reader), target: readRef(reader) });
export const writeVote = (writer: Writer, { kind, target }: Vote): Writer =>
  writeRef(writer.u8(kind), target);

const readSignature = (reader: Reader): Signature => ({
  signature: reader.take(64).slice(),
  voter: reader.take(32).slice(),
});
const writeSignature = (writer: Writer, { signature, voter }: Signature): Writer =>
  writer.raw(signature).raw(voter);

export const readSignedVote = (reader: Reader): SignedVote => ({
  ...readVote(reader),
  ...readSignature(reader),
});
export const writeSignedVote = (writer: Writer, vote: SignedVote): Writer =>
  writeSignature(writeVote(writer, vote), vote);

export const readSignedTarget = (reader: Reader): SignedTarget => ({
  target: readRef(reader),
  ...readSignature(reader),
});
const writeSignedTarget = (writer: Writer, signed: SignedTarget): Writer =>
  writeSignature(writeRef(writer, signed.target), signed);

/** The form on the wire: first all targets, then all signatures. */
export const readCompactCommit = (reader: Reader): Commit => {
  const target = readRef(reader);
  const targets = reader.vec(readRef);
  const signatures = reader.vec(readSignature);
  if (targets.length !== signatures.length) throw new RangeError('a commit needs one signature per vote');
  const precommits = targets.map((one, index) => ({ target: one, ...(signatures[index] as Signature) }));
  return { target, precommits };
};
export const writeCompactCommit = (writer: Writer, { target, precommits }: Commit): Writer =>
  writeRef(writer, target)
    .vec(precommits, (out, one) => writeRef(out, one.target))
    .vec(precommits, writeSignature);

/** The form in which the crate hands it out. */
export const readCommit = (reader: Reader): Commit => ({
  target: readRef(reader),
  precommits: reader.vec(readSignedTarget),
});

export const readCatchUp = (reader: Reader): CatchUp => ({
  round: reader.u64(),
  prevotes: reader.vec(readSignedTarget),
  precommits: reader.vec(readSignedTarget),
  base: readRef(reader),
});
export const writeCatchUp = (writer: Writer, catchUp: CatchUp): Writer => {
  writer.u64(catchUp.round).vec(catchUp.prevotes, writeSignedTarget);
  return writeRef(writer.vec(catchUp.precommits, writeSignedTarget), catchUp.base);
};

const neighborVersion = 1;

export const encodeMessage = (message: Message): Uint8Array => {
  const writer = new Writer(256);
  switch (message.type) {
    case 'vote':
      return writeSignedVote(writer.u8(0).u64(message.round).u64(message.setId), message.vote).finish();
    case 'commit':
      return writeCompactCommit(writer.u8(1).u64(message.round).u64(message.setId), message.commit).finish();
    case 'neighbor':
      writer.u8(2).u8(neighborVersion).u64(message.round).u64(message.setId);
      return writer.u32(message.height).finish();
    case 'catch-up-request':
      return writer.u8(3).u64(message.round).u64(message.setId).finish();
    case 'catch-up':
      return writeCatchUp(writer.u8(4).u64(message.setId), message.catchUp).finish();
    default:
      return message satisfies never;
  }
};

const readNeighbor = (reader: Reader): Message => {
  if (reader.u8() !== neighborVersion) throw new RangeError('a neighbor packet of another version');
  return { type: 'neighbor', round: reader.u64(), setId: reader.u64(), height: reader.u32() };
};

const readers: readonly ((reader: Reader) => Message)[] = [
  (reader) => ({
    type: 'vote',
    round: reader.u64(),
    setId: reader.u64(),
    vote: readSignedVote(reader),
  }),
  (reader) => ({
    type: 'commit',
    round: reader.u64(),
    setId: reader.u64(),
    commit: readCompactCommit(reader),
  }),
  readNeighbor,
  (reader) => ({ type: 'catch-up-request', round: reader.u64(), setId: reader.u64() }),
  (reader) => ({ type: 'catch-up', setId: reader.u64(), catchUp: readCatchUp(reader) }),
];

/** Null if the bytes are not exactly one message. */
export const decodeMessage = (bytes: Uint8Array): Message | null => {
  try {
    const reader = new Reader(bytes);
    const read = readers[reader.u8()];
    if (read === undefined) return null;
    const message = read(reader);
    reader.end();
    return message;
  } catch {
    return null;
  }
};

/** What a voter signs (sp-consensus-grandpa, `localized_payload`). */
export const votePayload = (vote: Vote, round: bigint, setId: bigint): Uint8Array =>
  writeVote(new Writer(53), vote).u64(round).u64(setId).finish();
