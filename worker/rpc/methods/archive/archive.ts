import type { archive } from '../../../../src/protocol/rpc/archive.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import { isUnavailable } from '../../../chain/refusal.ts';
import { encodeHeader } from '../../../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../../codec/identity.ts';
import { shortHash, toBlockHash } from '../../convert.ts';
import type { CallOutcome } from '../../dialects/dialect.ts';
import { lookUpText, RpcError } from '../../errors.ts';
import type { Handlers, Sink } from '../../handlers.ts';
import { failureText } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { failureOf, type ItemSink, readHex, readItems } from '../chain-head/read-items.ts';
import { diffItems } from './diff-items.ts';

type Deps = Pick<RpcParts, 'chain'>;

/**
 * Every block at a height above the finalized one, in the order in which the SDK finds them: down from each
 * leaf, last first.
 */
const forksAt = ({ chain }: Deps, height: number): BlockHash[] => {
  const { tree } = chain.view;
  const leaves = tree.leaves().filter(({ number }) => number >= height);
  const found = new Set<BlockHash>();
  for (const leaf of leaves.sort((a, b) => b.number - a.number).reverse()) {
    let block = leaf;
    while (block.number > height) block = tree.get(block.parent) as typeof leaf;
    found.add(block.hash);
  }
  return [...found];
};

/**
 * Runs a read that reports its results as events and then ends its subscription; returns a function that
 * stops it.
 */
const inEvents = (
  sink: Sink<{ event: string; [member: string]: unknown }>,
  name: 'storage' | 'storageDiff',
  work: (items: ItemSink & { emit: (item: object) => void }) => Promise<void>,
): (() => void) => {
  let isOver = false;
  const run = async (): Promise<void> => {
    const error = await failureOf(() =>
      work({
        isOver: () => isOver,
        isBlocked: sink.isBlocked,
        emit: (item) => sink.emit({ event: name, ...item }),
      }),
    );
    sink.emit(error === null ? { event: `${name}Done` } : { event: `${name}Error`, error });
    sink.end();
  };
  void run();
  return () => {
    isOver = true;
  };
};

export const archiveMethods: Handlers<typeof archive, Deps> = {
  archive_v1_body: async ({ chain }, { hash }) =>
    (await chain.loadBlock(toBlockHash(hash)))?.extrinsics.map(bytesToHex) ?? null,
  archive_v1_call: async ({ chain }, args, { dialect }): Promise<CallOutcome | null> => {
    const input = readHex(args.call_parameters, dialect.malformedHex);
    try {
      const result = await chain.callAt(toBlockHash(args.hash), args.function, input);
      return result.ok
        ? { success: true, value: bytesToHex(result.output) }
        : { success: false, error: failureText(args.function, result) };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return dialect.callNowhere(lookUpText(error, 'call', args.hash));
    }
  },
  archive_v1_finalizedHeight: ({ chain }) => chain.finalized().number,
  archive_v1_genesisHash: ({ chain }) => chain.genesisHash,
  archive_v1_hashByHeight: async (deps, { height }, { dialect }) => {
    const { chain } = deps;
    if (height > 0xffff_ffffn)
      throw dialect.malformedHex(`Invalid parameter: Invalid block height: ${height}`);
    const number = Number(height);
    if (number > chain.finalized().number) return forksAt(deps, number);
    const hash = await chain.loadHashAt(number);
    return hash === null ? [] : [hash];
  },
  archive_v1_header: async ({ chain }, { hash }) => {
    const header = await chain.loadHeader(toBlockHash(hash));
    return header === null ? null : bytesToHex(encodeHeader(header));
  },
  archive_v1_storage: (deps, { hash, items, child_trie }, sink, { dialect }) => {
    const refuse = dialect.malformedHex;
    dialect.checkHex([child_trie, ...items.flatMap((item) => [item.key, item.paginationStartKey])]);
    return inEvents(sink, 'storage', async (out) => {
      const read = items.map(({ key: text, type, paginationStartKey: start }) => {
        const key = readHex(text, refuse);
        if (start != null && !type.startsWith('descendants'))
          throw refuse(
            'Invalid parameter: paginationStartKey is only valid for descendantsValues and descendantsHashes query types',
          );
        return { key, type, start: start == null ? null : readHex(start, refuse) };
      });
      const child = child_trie == null ? null : readHex(child_trie, refuse);
      await readItems(deps, toBlockHash(hash), read, child, out);
    });
  },
  archive_v1_storageDiff: (deps, { hash, items, previous_hash }, sink, { dialect }) => {
    dialect.checkDiffItems(items);
    dialect.checkHex((items ?? []).flatMap((item) => [item.key, item.childTrieKey]));
    return inEvents(sink, 'storageDiff', async (out) => {
      const header = previous_hash == null ? await deps.chain.loadHeader(toBlockHash(hash)) : null;
      if (previous_hash == null && header === null)
        throw new RpcError(3001, `Block header is not present: ${shortHash(hash)}`);
      const previous =
        header === null ? toBlockHash(previous_hash as string) : bytesToBlockHash(header.parentHash);
      const toBytes = (text: string): Uint8Array => readHex(text, dialect.malformedHex);
      await diffItems(deps, { at: toBlockHash(hash), previous }, items ?? [], toBytes, out);
    });
  },
};
