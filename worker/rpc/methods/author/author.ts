import type { author } from '../../../../src/protocol/rpc/author.ts';
import type { Result } from '../../../../src/protocol/rpc/define.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import { bytesToExtrinsicHash, type ExtrinsicHash } from '../../../codec/identity.ts';
import { isTerminal, type TransactionStatus } from '../../../pool/watchers.ts';
import { readOpaqueExtrinsic } from '../../convert.ts';
import type { RpcDialect } from '../../dialects/dialect.ts';
import { RpcError } from '../../errors.ts';
import type { Handlers } from '../../handlers.ts';
import type { RpcParts } from '../../parts.ts';
import { apart } from './apart.ts';
import { submitErrorToRpc } from './submit-errors.ts';

/** TransactionSource::External, used for everything submitted over RPC. */
export const external = 2;

const badFormat = (why: string): RpcError => new RpcError(1001, `Extrinsic has invalid format: ${why}`);

/** Checks the outer encoding; the runtime checks the rest. */
export const readExtrinsic = (bytes: Uint8Array, dialect: RpcDialect, fault = badFormat): Uint8Array => {
  const { extrinsic, version } = readOpaqueExtrinsic(bytes, (why) =>
    fault(`Could not decode \`OpaqueExtrinsic.0\`:\n\t${why}\n`),
  );
  dialect.checkVersion(version);
  return extrinsic;
};

type StatusJson = Result<(typeof author)['author_submitAndWatchExtrinsic']>;

const statusToJson = (status: TransactionStatus): StatusJson => {
  switch (status.kind) {
    case 'future':
    case 'ready':
    case 'dropped':
    case 'invalid':
      return status.kind;
    case 'broadcast':
      return { broadcast: [...status.peers] };
    case 'inBlock':
      return { inBlock: status.block };
    case 'retracted':
      return { retracted: status.block };
    case 'finalityTimeout':
      return { finalityTimeout: status.block };
    case 'finalized':
      return { finalized: status.block };
    case 'usurped':
      return { usurped: status.by };
    default:
      return status satisfies never;
  }
};

export const authorMethods: Handlers<
  typeof author,
  Pick<RpcParts, 'pool' | 'crypto' | 'schedule' | 'config'>
> = {
  author_submitExtrinsic: async ({ pool }, { extrinsic }, { dialect, caller }) => {
    // The SDK's node uses a different number for this method (fixtures: static.jsonl).
    const bytes = readExtrinsic(extrinsic, dialect, dialect.malformedExtrinsic);
    const result = await pool.submit(bytes, external, caller);
    if (result.ok) return result.hash;
    throw submitErrorToRpc(result, dialect);
  },
  author_removeExtrinsic: ({ pool, crypto }, { bytes_or_hash }, { dialect }) => {
    const hashes = bytes_or_hash.map((item) =>
      item.kind === 'hash'
        ? (item.hash as ExtrinsicHash)
        : bytesToExtrinsicHash(crypto.blake2b256(readExtrinsic(item.bytes, dialect))),
    );
    const removed = pool.remove(hashes, true);
    return removed.map(({ hash, extrinsic }) => dialect.removed(hash, extrinsic));
  },
  author_pendingExtrinsics: ({ pool }) => pool.pending().map(bytesToHex),
  author_submitAndWatchExtrinsic: async (
    { pool, crypto, schedule, config },
    { bytes },
    sink,
    { dialect },
  ) => {
    const extrinsic = readExtrinsic(bytes, dialect);
    const tell = (status: TransactionStatus): void => {
      sink.emit(statusToJson(status));
      if (isTerminal(status)) sink.end();
    };
    const { watcher, end } =
      config.likeChopsticks === true ? apart(schedule, tell) : { watcher: tell, end: () => undefined };
    // Watches before submitting, so that the first status is not missed.
    const off = pool.watch(bytesToExtrinsicHash(crypto.blake2b256(extrinsic)), watcher);
    const unwatch = (): void => {
      off();
      end();
    };
    const result = await pool.submit(extrinsic, external);
    if (result.ok) return unwatch;
    unwatch();
    throw submitErrorToRpc(result, dialect);
  },
};
