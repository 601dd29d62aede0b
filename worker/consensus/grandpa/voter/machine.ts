import { NodeError } from '../../../../src/protocol/errors.ts';
import { Reader } from '../../../bytes/reader.ts';
import { Writer } from '../../../bytes/writer.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import {
  type BlockHash,
  blockHashToBytes,
  bytesToBlockHash,
  readRef,
  writeRef,
} from '../../../codec/identity.ts';
import { compileModule } from '../../../crypto/core-module.ts';
import { type WeightedAuthority, writeAuthorities } from '../../../executor/runtime-api-consensus.ts';
import {
  type CatchUp,
  type Commit,
  readCommit,
  readCompactCommit,
  readSignedVote,
  readVote,
  type SignedVote,
  type Vote,
  writeCatchUp,
  writeCompactCommit,
  writeSignedVote,
} from './messages.ts';

/** The votes of a phase in a round. */
export type Participation = { readonly weight: bigint; readonly voters: readonly Uint8Array[] };
export type RoundReport = {
  readonly round: bigint;
  readonly totalWeight: bigint;
  readonly thresholdWeight: bigint;
  readonly prevotes: Participation;
  readonly precommits: Participation;
};
export type Report = { readonly best: RoundReport; readonly background: readonly RoundReport[] };

/** Two votes of one voter in a phase of a round, as sp-consensus-grandpa encodes them. */
export type DoubleVote = {
  readonly kind: 'double-vote';
  readonly phase: 'prevote' | 'precommit';
  readonly voter: Uint8Array;
  readonly bytes: Uint8Array;
};

/** What the machine requests from its host, in order. */
export type Effect =
  /** An own vote: record it, then sign and send it, and return it. */
  | { readonly kind: 'vote'; readonly round: bigint; readonly vote: Vote }
  | { readonly kind: 'round'; readonly round: bigint }
  | {
      readonly kind: 'completed';
      readonly round: bigint;
      readonly base: BlockRef;
      readonly votes: readonly SignedVote[];
    }
  | { readonly kind: 'finalized'; readonly round: bigint; readonly commit: Commit }
  | DoubleVote
  | { readonly kind: 'commit'; readonly round: bigint; readonly commit: Commit }
  | { readonly kind: 'commit-judged'; readonly round: bigint; readonly isGood: boolean }
  | { readonly kind: 'catch-up-judged'; readonly verdict: 'good' | 'bad' | 'useless' }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'ended'; readonly reason: string };

/** Where the machine begins. */
export type MachineStart = {
  readonly setId: bigint;
  readonly authorities: readonly WeightedAuthority[];
  /** The voter's key; null for an observer. */
  readonly local: Uint8Array | null;
  readonly gossipMs: number;
  /** The last completed round; 0 if there is none. */
  readonly round: bigint;
  readonly votes: readonly SignedVote[];
  readonly base: BlockRef;
  readonly finalized: BlockRef;
};

/** The chain as the machine sees it, synchronous. */
export type MachineChain = {
  /** The blocks strictly between two, newest first. Null if the first is no ancestor of the second. */
  between(base: BlockHash, block: BlockHash): readonly BlockHash[] | null;
  /** The block to vote for on top of a base. */
  bestOn(base: BlockHash): BlockRef | null;
};

/** One voter of finality-grandpa (crates/grandpa). */
export type Machine = {
  /** A checked vote. False if no such round runs. */
  vote(round: bigint, vote: SignedVote): boolean;
  commit(round: bigint, commit: Commit): void;
  catchUp(catchUp: CatchUp): void;
  /** Does all work that is possible at a time (ms). */
  poll(nowMs: number): readonly Effect[];
  /** When the next timer is due, as of the last `poll`; null if none is set. */
  dueMs(): number | null;
  report(): Report;
};

type Exports = {
  readonly memory: WebAssembly.Memory;
  start(place: number, length: number, now: bigint): number;
  vote(round: bigint, place: number, length: number): number;
  commit(round: bigint, place: number, length: number): number;
  catch_up(place: number, length: number): number;
  poll(now: bigint): number;
  report(): void;
  due(): bigint;
  out_ptr(): number;
  out_len(): number;
  out_clear(): void;
  alloc(length: number): number;
  dealloc(place: number, length: number): void;
};

const readParticipation = (reader: Reader): Participation => ({
  weight: reader.u64(),
  voters: reader.vec((from) => from.take(32).slice()),
});
const readRound = (reader: Reader): RoundReport => ({
  round: reader.u64(),
  totalWeight: reader.u64(),
  thresholdWeight: reader.u64(),
  prevotes: readParticipation(reader),
  precommits: readParticipation(reader),
});

/** (round, equivocation): the latter begins with the round and the voter. */
const readDoubleVote = (reader: Reader, phase: DoubleVote['phase']): DoubleVote => {
  reader.u64();
  const start = reader.offset;
  reader.u64();
  const voter = reader.take(32).slice();
  reader.skip(2 * (36 + 64));
  return { kind: 'double-vote', phase, voter, bytes: reader.bytes.slice(start, reader.offset) };
};

const verdicts = ['good', 'bad', 'useless'] as const;

/** By kind (crates/grandpa/src/effects.rs). */
const effects: Readonly<Record<number, (reader: Reader) => Effect>> = {
  0: (reader) => {
    const round = reader.u64();
    // The set id.
    reader.skip(8);
    return { kind: 'vote', round, vote: readVote(reader) };
  },
  1: (reader) => ({ kind: 'round', round: reader.u64() }),
  2: (reader) => ({
    kind: 'completed',
    round: reader.u64(),
    base: readRef(reader),
    votes: reader.vec(readSignedVote),
  }),
  3: (reader) => ({ kind: 'finalized', round: reader.u64(), commit: readCommit(reader) }),
  4: (reader) => readDoubleVote(reader, 'prevote'),
  5: (reader) => readDoubleVote(reader, 'precommit'),
  6: (reader) => ({ kind: 'commit', round: reader.u64(), commit: readCompactCommit(reader) }),
  7: (reader) => ({ kind: 'commit-judged', round: reader.u64(), isGood: reader.bool() }),
  8: (reader) => ({ kind: 'catch-up-judged', verdict: verdicts[reader.u8()] ?? 'bad' }),
  9: (reader) => ({
    kind: 'report',
    report: { best: readRound(reader), background: reader.vec(readRound) },
  }),
  255: (reader) => ({ kind: 'ended', reason: reader.text() }),
};

const readEffects = (bytes: Uint8Array): Effect[] => {
  const reader = new Reader(bytes);
  const found: Effect[] = [];
  while (reader.remaining > 0) {
    const read = effects[reader.u8()];
    const part = new Reader(reader.take(reader.u32()).slice());
    if (read !== undefined) found.push(read(part));
  }
  return found;
};

const encodeStart = (start: MachineStart): Uint8Array => {
  const writer = writeAuthorities(new Writer(256).u64(start.setId), start.authorities);
  writer.option(start.local, (out, key) => out.raw(key));
  writer.u64(BigInt(start.gossipMs)).u64(start.round).vec(start.votes, writeSignedVote);
  return writeRef(writeRef(writer, start.base), start.finalized).finish();
};

let compiled: Promise<WebAssembly.Module> | null = null;

/** Compiled once. Throws `CryptoUnavailable`. */
export const loadMachineModule = (): Promise<WebAssembly.Module> => {
  compiled ??= compileModule(new URL('./grandpa.wasm', import.meta.url)).catch((error: unknown) => {
    // The next caller tries again.
    compiled = null;
    throw error;
  });
  return compiled;
};

const hostOf = (chain: MachineChain, memory: () => Uint8Array) => ({
  ancestry: (base: number, block: number, room: number, capacity: number): number => {
    const at = (place: number) => bytesToBlockHash(memory().subarray(place, place + 32));
    const hashes = chain.between(at(base), at(block));
    if (hashes === null) return -1;
    if (hashes.length <= capacity)
      for (const [index, hash] of hashes.entries()) memory().set(blockHashToBytes(hash), room + 32 * index);
    return hashes.length;
  },
  best_containing: (base: number, room: number): number => {
    const best = chain.bestOn(bytesToBlockHash(memory().subarray(base, base + 32)));
    if (best === null) return -1;
    memory().set(writeRef(new Writer(36), best).finish(), room);
    return 0;
  },
});

/** Throws `Internal` if the authority set is empty or its weights overflow. */
export const createMachine = (
  module: WebAssembly.Module,
  chain: MachineChain,
  start: MachineStart,
  nowMs: number,
): Machine => {
  const memory = (): Uint8Array => new Uint8Array(exports.memory.buffer);
  const instance = new WebAssembly.Instance(module, { host: hostOf(chain, memory) });
  const exports = instance.exports as unknown as Exports;
  const give = (bytes: Uint8Array, call: (place: number, length: number) => number): number => {
    const place = exports.alloc(bytes.length);
    memory().set(bytes, place);
    const code = call(place, bytes.length);
    exports.dealloc(place, bytes.length);
    return code;
  };
  const take = (): Effect[] => {
    const place = exports.out_ptr();
    const bytes = memory().slice(place, place + exports.out_len());
    exports.out_clear();
    return readEffects(bytes);
  };
  const now = (ms: number): bigint => BigInt(Math.max(0, Math.floor(ms)));
  const code = give(encodeStart(start), (...at) => exports.start(...at, now(nowMs)));
  if (code !== 0) throw new NodeError('Internal', `The GRANDPA voter did not start (${code})`);
  const noTimer = 2n ** 64n - 1n;
  // The start itself has effects.
  let first = take();
  return {
    vote: (round, vote) =>
      give(writeSignedVote(new Writer(133), vote).finish(), (...at) => exports.vote(round, ...at)) === 0,
    commit: (round, commit) =>
      void give(writeCompactCommit(new Writer(256), commit).finish(), (...at) =>
        exports.commit(round, ...at),
      ),
    catchUp: (catchUp) =>
      void give(writeCatchUp(new Writer(512), catchUp).finish(), (...at) => exports.catch_up(...at)),
    poll: (ms) => {
      exports.poll(now(ms));
      const found = [...first, ...take()];
      first = [];
      return found;
    },
    dueMs: () => {
      const due = BigInt.asUintN(64, exports.due());
      return due === noTimer ? null : Number(due);
    },
    report: () => {
      exports.report();
      const found = take().find((effect) => effect.kind === 'report');
      if (found === undefined) throw new NodeError('Internal', 'The GRANDPA voter reported nothing');
      return found.report;
    },
  };
};
