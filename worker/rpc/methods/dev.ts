import { NodeError } from '../../../src/protocol/errors.ts';
import type { dev as table } from '../../../src/protocol/rpc/dev.ts';
import {
  type DryRun,
  type HeadTarget,
  logLevels,
  maxBlocks,
  type NewBlock,
} from '../../../src/protocol/rpc/params/dev.ts';
import type { Left } from '../../author/left-out.ts';
import { keyToBytes } from '../../bytes/bytes.ts';
import { bytesToHex, bytesToHexOrNull, hexToBytes } from '../../bytes/hex.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { PoolTransaction } from '../../pool/pool.ts';
import { isEthereumForm, readOpaqueExtrinsic, toBlockHash } from '../convert.ts';
import { psp6 } from '../dialects/psp6.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';
import { submitErrorText } from './author/submit-errors.ts';
import { createBudget } from './state/walks.ts';

type Deps = Pick<
  RpcParts,
  | 'author'
  | 'chain'
  | 'config'
  | 'crypto'
  | 'dev'
  | 'executor'
  | 'finality'
  | 'fork'
  | 'joinNetwork'
  | 'leaveNetwork'
  | 'localPeer'
  | 'network'
  | 'pool'
  | 'sealing'
>;
type SnapshotOf = Awaited<ReturnType<RpcParts['dev']['snapshot']>>;

/** Chopsticks reports every error with code 1; here `data` also has the node's own code. */
const refusal = (error: unknown): unknown =>
  error instanceof NodeError ? new RpcError(1, error.message, error.code) : error;

/** Waits for work whose errors are reported as chopsticks does. */
export const orRefusal = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw refusal(error);
  }
};

/**
 * Maximum length of an exported text, also on connections without a limit; longer chains are exported in
 * ranges.
 */
const maxExportBytes = 64 * 1024 * 1024;

const sealOne = async (
  { author }: Deps,
  request: {
    readonly parent?: BlockHash;
    readonly transactions?: readonly Uint8Array[];
    readonly finalize: boolean;
  },
) => {
  const sealed = await author.seal({ createEmpty: true, reportLeft: true, ...request });
  if (sealed.ok) return sealed;
  throw new RpcError(1, sealed.message, sealed.code);
};

/**
 * `dev_newBlock` returns only a hash, as clients of chopsticks expect. Without `report`, the omitted
 * transactions are logged.
 */
const noteLeft = ({ executor }: Deps, { number, left }: { number: number; left: readonly Left[] }): void => {
  const [first] = left;
  if (first === undefined) return;
  const message = `Block #${number} left ${left.length} ready ${left.length === 1 ? 'transaction' : 'transactions'} in the pool, first ${first.hash} (${first.reason}); dev_newBlock with report lists them`;
  executor.note({ level: logLevels.indexOf('warn'), target: 'author', message, block: number });
};

/**
 * How many blocks to build on block `base`: first some without transactions, up to `unsafeBlockHeight`, then those that were
 * requested. A gap in the numbers, as chopsticks leaves it, would be a chain that no node accepts (decision 79).
 */
const countBlocks = (
  base: number,
  { count, to, unsafeBlockHeight: height }: Partial<NewBlock>,
): { readonly empty: number; readonly blocks: number } => {
  if (height != null && height <= base)
    throw new RpcError(
      1,
      `unsafeBlockHeight must be greater than current block height, which is ${base}`,
      'Unsupported',
    );
  const empty = height == null ? 0 : height - 1 - base;
  const blocks = to == null ? (count ?? 1) : Math.max(to - base - empty, 1);
  if (empty + blocks <= maxBlocks) return { empty, blocks };
  throw new RpcError(
    1,
    height == null
      ? `\`to\` is more than ${maxBlocks} blocks ahead`
      : `\`unsafeBlockHeight\` is more than ${maxBlocks} blocks ahead, and all blocks up to it are built: move what waits for that number, such as Scheduler.Agenda, with dev_setStorage`,
    'Unsupported',
  );
};

const newBlock = async (deps: Deps, options: Partial<NewBlock>) => {
  const { parent, transactions, finalize = false, report = false } = options;
  let tip: BlockHash | null = parent == null ? null : toBlockHash(parent);
  const base = tip === null ? deps.chain.best().number : ((await deps.chain.loadHeader(tip))?.number ?? 0);
  const { empty, blocks } = countBlocks(base, options);
  const transactionsOf = (index: number) => {
    if (index < empty) return { transactions: [] };
    return transactions == null || index > empty ? {} : { transactions };
  };
  let left: readonly Left[] = [];
  for (let built = 0; built < empty + blocks; built++) {
    const sealed = await sealOne(deps, {
      finalize,
      ...(tip === null || (built > 0 && parent == null) ? {} : { parent: tip }),
      ...transactionsOf(built),
    });
    tip = sealed.hash;
    left = sealed.left;
    if (built === empty + blocks - 1 && !report) noteLeft(deps, sealed);
  }
  const hash = tip as BlockHash;
  return report ? { hash, left: left.map((one) => ({ ...one })) } : hash;
};

const findHead = async ({ chain }: Deps, target: HeadTarget): Promise<BlockHash> => {
  if (typeof target === 'string') return toBlockHash(target);
  const { number: best } = chain.best();
  const number = target > 0 ? target : best + target;
  const hash = number < 0 || number > best ? null : await chain.loadHashAt(number);
  if (hash !== null) return hash;
  throw new RpcError(1, `There is no block #${number} on the best chain`, 'UnknownBlock');
};

const badExtrinsic = (why: string): RpcError => new RpcError(1, why, 'BadExtrinsic');

const readWhole = (bytes: Uint8Array): Uint8Array =>
  readOpaqueExtrinsic(bytes, (why) => badExtrinsic(`The bytes are not an extrinsic: ${why}`)).extrinsic;

const needFork = (fork: Deps['fork']): NonNullable<Deps['fork']> => {
  if (fork !== null) return fork;
  throw new RpcError(1, 'This chain is no fork of a live chain', 'Unsupported');
};

const toHexPair = (key: Uint8Array, value: Uint8Array | null): [string, string | null] => [
  bytesToHex(key),
  bytesToHexOrNull(value),
];

/** An account of the runtime: an address, or the bytes as hex. */
const readOwner = async (deps: Deps, text: string): Promise<Uint8Array> => {
  // What reads metadata is loaded when it is needed.
  const { hasEthereumAccounts } = await import('../../dev/accounts.ts');
  const isEthereum = isEthereumForm(text);
  if ((await hasEthereumAccounts(deps.chain)) === isEthereum)
    return isEthereum ? hexToBytes(text) : psp6.readAccount(deps, text);
  const form = isEthereum ? 'are addresses (SS58), or have 32 bytes, as hex' : 'have 20 bytes, as hex';
  throw new RpcError(1, `${text} is no account of this runtime, whose accounts ${form}`, 'BadValue');
};

/** InvalidTransaction::ExhaustsResources */
const isFull = (error: Uint8Array | undefined): boolean => error?.[0] === 6;
const fullText =
  '. Where a session begins, the hooks of the block can fill it, and transactions wait for the next one: build a block, and try again';

const dryRun = async (deps: Deps, { extrinsic, at, raw, hooks }: DryRun) => {
  const what =
    extrinsic instanceof Uint8Array
      ? readWhole(extrinsic)
      : { call: extrinsic.call, account: await readOwner(deps, extrinsic.address) };
  const ran = await orRefusal(deps.dev.dryRun(blockAt(deps, at), what, hooks));
  if (!ran.applied) {
    const { kind: reason, error } = ran.outcome;
    throw badExtrinsic(`${submitErrorText({ ok: false, reason, error })}${isFull(error) ? fullText : ''}`);
  }
  if (raw) return ran.changes.map(([key, value]) => toHexPair(key, value));
  const named = await orRefusal(Promise.resolve().then(ran.named));
  return { outcome: ran.error === null ? ('Ok' as const) : { Err: ran.error }, ...named };
};

const snapshotToJson = (name: string, { head, finalized, takenMs }: SnapshotOf) => ({
  name,
  ...head,
  finalizedNumber: finalized.number,
  takenMs,
});

const transactionToJson = (transaction: PoolTransaction, validOnLiveChain: boolean) => ({
  hash: transaction.hash,
  extrinsic: bytesToHex(transaction.extrinsic),
  priority: String(transaction.priority),
  validTill: String(transaction.validTill),
  requires: transaction.requires.map((tag) => bytesToHex(keyToBytes(tag))),
  provides: transaction.provides.map((tag) => bytesToHex(keyToBytes(tag))),
  propagate: transaction.propagate,
  validOnLiveChain,
});

export const devMethods: Handlers<typeof table, Deps> = {
  dev_setSealMode: ({ sealing }, { mode }) => {
    sealing.setMode(mode);
    return null;
  },
  dev_setFinality: ({ finality }, { mode }) => {
    finality.setMode(mode);
    return null;
  },
  dev_newBlock: (deps, { options }) => newBlock(deps, options ?? {}),
  dev_seal: async (deps, { finalize }) => {
    const { witness: _, ok: __, left, ...sealed } = await sealOne(deps, { finalize: finalize === true });
    return { ...sealed, left: left.map((one) => ({ ...one })) };
  },
  dev_finalise: async ({ chain }, { hash }) => {
    await orRefusal(chain.finalize(hash == null ? chain.best().hash : toBlockHash(hash)));
    const { hash: final, number } = chain.finalized();
    return { hash: final, number };
  },
  dev_setHead: async (deps, { hash_or_number: target }) => {
    const hash = await findHead(deps, target);
    await orRefusal(deps.dev.setHead(hash, deps.config.likeChopsticks !== true));
    return hash;
  },
  dev_setStorage: async (deps, { values, hash }) => {
    const block = hash == null ? deps.chain.best().hash : toBlockHash(hash);
    const pairs =
      values.kind === 'keys' ? values.pairs : await orRefusal(deps.dev.readStorage(block, values.storage));
    await orRefusal(deps.dev.setStorage(block, pairs));
    return block;
  },
  dev_dryRun: (deps, { params }) => dryRun(deps, params),
  dev_timeTravel: ({ dev }, { date }) => orRefusal(dev.timeTravel(date)),
  dev_fund: (deps, { account, amount }) =>
    orRefusal(readOwner(deps, account).then((owner) => deps.dev.fund(owner, amount))),
  dev_impersonate: async (deps, { account, enabled }) => {
    const owner = await readOwner(deps, account);
    await orRefusal(deps.dev.impersonate(owner, enabled !== false));
    return null;
  },
  dev_snapshot: async ({ dev }, { name }) => snapshotToJson(name, await orRefusal(dev.snapshot(name))),
  dev_listSnapshots: ({ dev }) =>
    dev.listSnapshots().map(([name, snapshot]) => snapshotToJson(name, snapshot)),
  dev_restore: async ({ dev }, { name }) => snapshotToJson(name, await orRefusal(dev.restore(name))),
  dev_deleteSnapshot: ({ dev }, { name }) => dev.deleteSnapshot(name),
  dev_pool: async ({ chain, fork, pool }) => {
    const [ready, future] = [[...pool.ready()], pool.future()];
    const banned = pool.banned().map(([hash, untilMs]) => ({ hash, untilMs }));
    const liveToo = await fork?.liveToo(chain, [...ready, ...future]);
    const toJson = (one: PoolTransaction) => transactionToJson(one, liveToo?.has(one.hash) ?? false);
    return { ready: ready.map(toJson), future: future.map(toJson), banned };
  },
  dev_reset: async ({ dev }) => ({ ...(await orRefusal(dev.reset())) }),
  dev_exportChain: ({ dev }, { format, from, to }, context) => {
    const range = { from: from ?? 1, to: to ?? 0xffff_ffff };
    const maxResponseBytes = Math.min(context.maxResponseBytes, maxExportBytes);
    return orRefusal(dev.exportChain(format ?? 'json', range, createBudget({ maxResponseBytes })));
  },
  dev_exportFork: ({ fork }) => orRefusal(needFork(fork).exportPack().then(bytesToHex)),
  dev_fork: ({ fork }, { options }) => orRefusal(needFork(fork).rebase(options.rebase)),
  dev_network: async (deps, { change }) => {
    // It is loaded when it is needed.
    const { changeNetwork, describeNetwork } = await import('./dev-network.ts');
    if (change != null) await orRefusal(changeNetwork(deps, change));
    return describeNetwork(deps);
  },
  dev_importChain: async ({ dev, chain }, { data, more }, { caller }) => {
    const counts = await orRefusal(dev.importChain(data, more === true, caller));
    const { hash, number } = chain.best();
    return { ...counts, hash, number };
  },
};
