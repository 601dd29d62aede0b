import type { chainHead } from '../../../../src/protocol/rpc/chain-head.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import { encodeHeader } from '../../../codec/header.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import { toBlockHash } from '../../convert.ts';
import { RpcError } from '../../errors.ts';
import type { Handlers, OneCall } from '../../handlers.ts';
import { failureText } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { followHead } from './follow-head.ts';
import { createFollows, type Follow, notPinned } from './follows.ts';
import { failureOf, readHex, readItems } from './read-items.ts';

type Deps = Pick<RpcParts, 'chain' | 'onError'>;
type Started = { readonly result: 'started'; readonly operationId: string; readonly discardedItems?: number };
type Response = Started | { readonly result: 'limitReached' };
type Notify = (event: string, members?: object) => void;

const refuse = (why: string): RpcError => new RpcError(-32602, why);

/**
 * The work of an operation after its response has been sent. A thrown error is reported as its error event.
 */
type Work = (notify: Notify, isOver: () => boolean) => Promise<void>;

const start = (
  follow: Follow,
  hash: BlockHash,
  wanted: number,
  context: Pick<OneCall, 'after'>,
  work: Work,
): Response => {
  const operationId = follow.begin(hash, wanted);
  if (operationId === null) return { result: 'limitReached' };
  const isOver = (): boolean => !follow.isRunning(operationId);
  const notify: Notify = (event, members) => {
    if (!isOver()) follow.emit({ event, operationId, ...members });
  };
  const run = async (): Promise<void> => {
    const error = await failureOf(() => work(notify, isOver));
    if (error !== null) notify('operationError', { error });
    follow.finish(operationId);
  };
  context.after(() => void run());
  return { result: 'started', operationId };
};

/** Counts an operation that completes at once; false if the limit is reached. */
const spend = (follow: Follow, hash: BlockHash): boolean => {
  const operationId = follow.begin(hash, 1);
  if (operationId !== null) follow.finish(operationId);
  return operationId !== null;
};

/** The methods of one server. Its follows share their pins. `now` is a clock in milliseconds. */
export const createChainHeadMethods = (
  { chain, onError }: Deps,
  now: () => number,
): Handlers<typeof chainHead, Deps> => {
  const follows = createFollows(chain, now);
  const find = (context: OneCall, { follow_subscription: id }: { readonly follow_subscription: string }) =>
    follows.find(context.connection, id);
  const pinnedBy = (follow: Follow, hash: string): BlockHash => {
    if (follow.has(toBlockHash(hash))) return toBlockHash(hash);
    throw notPinned();
  };
  return {
    chainHead_v1_follow: (_deps, { with_runtime }, sink, { connection }) =>
      followHead({ chain, onError }, follows.open(connection, with_runtime, sink), follows),
    chainHead_v1_body: (_deps, args, context): Response => {
      const follow = find(context, args);
      if (follow === null) return { result: 'limitReached' };
      const hash = pinnedBy(follow, args.hash);
      return start(follow, hash, 1, context, async (notify) => {
        const block = await chain.loadBlock(hash);
        if (block === null) notify('operationInaccessible');
        else notify('operationBodyDone', { value: block.extrinsics.map(bytesToHex) });
      });
    },
    chainHead_v1_call: (_deps, args, context): Response => {
      const input = readHex(args.call_parameters, refuse);
      const follow = find(context, args);
      if (follow === null) return { result: 'limitReached' };
      const hash = pinnedBy(follow, args.hash);
      // The SDK uses up an operation id for the refusal.
      if (!follow.withRuntime && spend(follow, hash))
        throw new RpcError(
          -32802,
          'The `chainHead_follow` subscription was started with `withRuntime` set to `false`',
        );
      return start(follow, hash, 1, context, async (notify) => {
        const result = await chain.callAt(hash, args.function, input);
        if (result.ok) notify('operationCallDone', { output: bytesToHex(result.output) });
        else notify('operationError', { error: failureText(args.function, result) });
      });
    },
    chainHead_v1_storage: (deps, args, context): Response => {
      const follow = find(context, args);
      if (follow === null) return { result: 'limitReached' };
      const items = args.items.map(({ key, type }) => ({ key: readHex(key, refuse), type, start: null }));
      const child = args.child_trie == null ? null : readHex(args.child_trie, refuse);
      const hash = pinnedBy(follow, args.hash);
      const started = start(follow, hash, items.length, context, async (notify, isOver) => {
        const emit = (item: object): void => notify('operationStorageItems', { items: [item] });
        await readItems(deps, hash, items, child, { isOver, isBlocked: follow.isBlocked, emit });
        notify('operationStorageDone');
      });
      return started.result === 'started' ? { ...started, discardedItems: 0 } : started;
    },
    chainHead_v1_header: async (_deps, args, context) => {
      const follow = find(context, args);
      if (follow === null) return null;
      const hash = pinnedBy(follow, args.hash);
      if (context.dialect.headerIsOperation && !spend(follow, hash)) return null;
      const header = await chain.loadHeader(hash);
      return header === null ? null : bytesToHex(encodeHeader(header));
    },
    chainHead_v1_unpin: (_deps, args, context) => {
      find(context, args)?.unpin(args.hash_or_hashes.map(toBlockHash));
      return null;
    },
    chainHead_v1_continue: (_deps, args, context) => {
      if (find(context, args)?.isRunning(args.operation_id) !== true) return null;
      throw new RpcError(-32803, 'Wait for continue event was not generated for the subscription');
    },
    chainHead_v1_stopOperation: (_deps, args, context) => {
      find(context, args)?.finish(args.operation_id);
      return null;
    },
  };
};
