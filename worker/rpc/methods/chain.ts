import type { chain as table } from '../../../src/protocol/rpc/chain.ts';
import type { Height } from '../../../src/protocol/rpc/params/params.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { type ChainEvent, movesBest } from '../../chain/events.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { findJustification } from '../../codec/justification.ts';
import type { SignedBlock } from '../../codec/signed-block.ts';
import { grandpaEngine } from '../../consensus/grandpa/codec.ts';
import { followInOrder } from '../connection/ordered-events.ts';
import { createHeaderWriter, type HeaderJson, type WriteHeader } from '../convert.ts';
import { RpcError } from '../errors.ts';
import type { Handlers, Sink } from '../handlers.ts';
import { blockAt } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'onError'>;

const grandpaPayload = ({ justifications }: SignedBlock): string | null => {
  const found = findJustification(justifications, grandpaEngine);
  return found === null ? null : bytesToHex(found);
};

/** Justifications are serialized as lists of numbers, not as hex. */
const justificationsToJson = ({ justifications }: SignedBlock): [number[], number[]][] | null =>
  justifications === null ? null : justifications.map(([engine, data]) => [[...engine], [...data]]);

const hashAt = async ({ chain }: Deps, height: Height): Promise<string | null> => {
  if (height.value > 0xffff_ffffn)
    throw new RpcError(3001, `\`${height.form}(${height.value})\` > u32::MAX, the max block number is u32.`);
  const number = Number(height.value);
  return number > chain.best().number ? null : chain.loadHashAt(number);
};

const loadHeaderJson = async (
  { chain }: Deps,
  write: WriteHeader,
  hash: BlockHash,
): Promise<HeaderJson | null> => {
  const header = await chain.loadHeader(hash);
  return header === null ? null : write(header);
};

/**
 * A subscription to headers: starts with the one at `first`, then sends those of each event, in order and
 * without gaps.
 */
const followHeaders = (
  deps: Deps,
  write: WriteHeader,
  sink: Sink<HeaderJson>,
  first: BlockHash,
  choose: (event: ChainEvent) => readonly BlockHash[],
): (() => void) => {
  const { chain } = deps;
  const emitHeader = async (hash: BlockHash): Promise<void> => {
    const header = await chain.loadHeader(hash);
    if (header !== null) sink.emit(write(header));
  };
  return followInOrder(
    deps,
    () => emitHeader(first),
    (event) => {
      if (event.kind === 'imported') {
        if (choose(event).length > 0) sink.emit(write(event.header));
        return undefined;
      }
      const hashes = choose(event);
      return hashes.length === 0
        ? undefined
        : hashes.reduce((tail, hash) => tail.then(() => emitHeader(hash)), Promise.resolve());
    },
    sink.end,
  );
};

const createMethods = (write: WriteHeader): Handlers<typeof table, Deps> => ({
  chain_getHeader: (deps, { hash }) => {
    const at = blockAt(deps, hash);
    const known = deps.chain.tryHeader(at);
    return known === null ? loadHeaderJson(deps, write, at) : write(known);
  },
  chain_getBlock: async (deps, { hash }, { dialect }) => {
    const found = await deps.chain.loadBlock(blockAt(deps, hash));
    if (found === null) return null;
    const block = { header: write(found.header), extrinsics: found.extrinsics.map(bytesToHex) };
    return dialect.block(block, grandpaPayload(found), justificationsToJson(found));
  },
  chain_getBlockHash: async (deps, { hash }) => {
    if (hash == null) return deps.chain.best().hash;
    if (!Array.isArray(hash)) return hashAt(deps, hash);
    const found: (string | null)[] = [];
    for (const height of hash) found.push(await hashAt(deps, height));
    return found;
  },
  chain_getFinalizedHead: ({ chain }) => chain.finalized().hash,
  chain_subscribeAllHeads: (deps, _args, sink, { dialect }) =>
    followHeaders(deps, write, sink, deps.chain.best().hash, (event) => {
      if (event.kind === 'imported') return [event.hash];
      return event.kind === 'finalized' ? dialect.finalizedAmongAll(event.blocks) : [];
    }),
  chain_subscribeNewHeads: (deps, _args, sink) =>
    followHeaders(deps, write, sink, deps.chain.best().hash, (event) =>
      // One notification per import of a best block. If finality moves the best block, only the finality is
      // reported.
      event.kind !== 'finalized' && movesBest(event) ? [event.hash] : [],
    ),
  chain_subscribeFinalizedHeads: (deps, _args, sink) =>
    followHeaders(deps, write, sink, deps.chain.finalized().hash, (event) => {
      if (event.kind === 'finalized') return [event.hash];
      return event.kind === 'moved' ? [event.finalized.hash] : [];
    }),
});

/** The methods of one server. Its responses and subscriptions share the serialized headers. */
export const createChainMethods = (): Handlers<typeof table, Deps> => createMethods(createHeaderWriter());
