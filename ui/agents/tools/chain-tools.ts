import { NodeError } from '../../../src/protocol/errors.ts';
import { extrinsicHash } from '../../../src/scale/hash.ts';
import { addressOf, developmentNames } from './accounts.ts';
import { findBlock, readHeader } from './blocks.ts';
import { eventJson } from './explain.ts';
import { type BlockBody, loadBody, readExtrinsic } from './extrinsics.ts';
import { at, cursor, limit } from './fields.ts';
import { described, either, integer, optional, text } from './schema.ts';
import { type Context, pageOf, tool } from './tool.ts';

/** Null if a node of another implementation does not have the method. */
const tryRequest = ({ request }: Context, method: string): Promise<unknown> =>
  request(method, []).catch(() => null);

type Version = {
  readonly specName: string;
  readonly specVersion: number;
  readonly transactionVersion: number;
};

const chainStatus = tool({
  name: 'chain_status',
  title: 'Chain status',
  description:
    'The status of the node: chain, node version, runtime version, best and finalized block, pending transactions, snapshots, token, the addresses of the development accounts, and whether this server allows writes. Call this first.',
  input: {},
  run: async (context) => {
    const [best, finalized] = await Promise.all([
      findBlock(context, undefined),
      findBlock(context, 'finalized'),
    ]);
    const [chain, name, version, runtime, genesisHash, properties, pending, snapshots, meta] =
      await Promise.all([
        context.request('system_chain', []),
        context.request('system_name', []),
        context.request('system_version', []),
        context.request('state_getRuntimeVersion', [best.hash]) as Promise<Version>,
        context.request('chain_getBlockHash', [0]),
        context.request('system_properties', []),
        tryRequest(context, 'author_pendingExtrinsics'),
        tryRequest(context, 'dev_listSnapshots'),
        context.meta.at(best.hash),
      ]);
    const { specName, specVersion, transactionVersion } = runtime;
    const accounts = developmentNames.map(async (one) => [one, await addressOf(meta, one)] as const);
    return {
      chain,
      node: `${name} ${version}`,
      genesisHash,
      runtime: { specName, specVersion, transactionVersion },
      best,
      finalized,
      pendingTransactions: Array.isArray(pending) ? pending.length : null,
      snapshots,
      properties,
      ss58Prefix: meta.ss58Prefix,
      developmentAccounts: Object.fromEntries(await Promise.all(accounts)),
      allowsWrites: context.allowWrites,
    };
  },
});

const mostOthers = 20;

const indexOf = ({ extrinsics }: BlockBody, wanted: number | string): number => {
  if (typeof wanted === 'number') return wanted;
  const index = extrinsics.findIndex((bytes) => extrinsicHash(bytes) === wanted.toLowerCase());
  if (index < 0) throw new NodeError('BadValue', `The block has no extrinsic with hash ${wanted}`);
  return index;
};

const readBlock = tool({
  name: 'read_block',
  title: 'Read a block',
  description:
    'A decoded block: its header and its extrinsics with signer, call, arguments, events and outcome. A failed extrinsic is explained by pallet, name and docs of its error. With "extrinsic" only the one with this index or hash.',
  input: {
    at: at(),
    extrinsic: described(
      optional(either(integer({ minimum: 0 }), text())),
      'Index or 0x hash of one extrinsic of the block.',
    ),
    limit: limit(10, 50),
    cursor: cursor(),
  },
  run: async (context, args) => {
    const block = await findBlock(context, args.at);
    const [header, body] = await Promise.all([
      readHeader(context, block.hash),
      loadBody(context, block.hash),
    ]);
    const summary = { ...block, parentHash: header.parentHash };
    if (args.extrinsic !== undefined)
      return { ...summary, extrinsic: readExtrinsic(body, indexOf(body, args.extrinsic)) };
    const page = pageOf([...body.extrinsics.keys()], args.cursor, args.limit);
    const others = body.events.filter(({ extrinsic }) => extrinsic === null).map(eventJson);
    return {
      ...summary,
      extrinsics: { ...page, items: page.items.map((index) => readExtrinsic(body, index)) },
      eventsOutsideExtrinsics: pageOf(others, undefined, mostOthers),
    };
  },
});

export const chainTools = [chainStatus, readBlock];
