import type { Connection } from '../../../src/connection.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import { extrinsicHash } from '../../../src/scale/hash.ts';
import { findBlock } from './blocks.ts';
import { loadBody, readExtrinsic } from './extrinsics.ts';
import type { Context } from './tool.ts';

const watch = 'author_submitAndWatchExtrinsic';
const unwatch = 'author_unwatchExtrinsic';

/** The block that includes a transaction, the status that ended it, or null while it is pending. */
type Fate = { readonly block: string } | { readonly status: unknown } | null;

const readFate = (status: unknown): Fate => {
  if (typeof status === 'string')
    return ['invalid', 'dropped', 'finalityTimeout'].includes(status) ? { status } : null;
  const { inBlock, finalized, usurped } = status as Readonly<Record<string, unknown>>;
  const block = inBlock ?? finalized;
  if (typeof block === 'string') return { block };
  return usurped === undefined ? null : { status };
};

/** Submits a transaction; resolves once it is in the pool. */
const watchExtrinsic = async (connection: Connection, extrinsic: string) => {
  const fate = Promise.withResolvers<Fate>();
  const id = await connection.subscribe(watch, [extrinsic], (status) => {
    const found = readFate(status);
    if (found !== null) fate.resolve(found);
  });
  return {
    extrinsic,
    /** Resolves once it is in a block or can no longer be included; to null when the time is up. */
    wait: async (waitMs: number, signal: AbortSignal): Promise<Fate> => {
      const timer = setTimeout(() => fate.resolve(null), waitMs);
      const giveUp = (): void => fate.reject(new NodeError('Aborted'));
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      const forget = connection.onClose((reason) => fate.reject(reason));
      try {
        return await fate.promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        forget();
        await connection.unsubscribe(unwatch, id).catch(() => false);
      }
    },
  };
};

const failIfAborted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new NodeError('Aborted');
};

/** Sends a transaction; returns its status and effects. Nothing is sent if the client leaves first: `Aborted`. */
export const submit = async (
  context: Context,
  sign: () => Promise<string>,
  waitMs: number,
  signal: AbortSignal,
) => {
  const connection = await context.connect();
  // One at a time, because the next nonce depends on the transactions in the pool.
  const watched = await context.inTurn(async () => {
    failIfAborted(signal);
    const extrinsic = await sign();
    failIfAborted(signal);
    return watchExtrinsic(connection, extrinsic);
  });
  const hash = extrinsicHash(watched.extrinsic);
  const fate = await watched.wait(waitMs, signal);
  if (fate === null)
    return {
      hash,
      status: 'waits',
      advice: 'It is in the pool. If blocks are not sealed automatically, use seal_blocks to include it.',
    };
  if ('status' in fate) return { hash, status: fate.status };
  const [block, body] = await Promise.all([findBlock(context, fate.block), loadBody(context, fate.block)]);
  const index = body.extrinsics.findIndex((bytes) => extrinsicHash(bytes) === hash);
  return { status: 'inBlock', block, ...readExtrinsic(body, index) };
};
