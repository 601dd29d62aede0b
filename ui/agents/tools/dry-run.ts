import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import { decodeEvents, eventsKey } from '../../../src/scale/events.ts';
import { fromHex, toHex } from '../../../src/scale/hex.ts';
import { explainKey, type KeyMeaning } from '../../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import { decodeDispatchInfo } from '../../../src/scale/validity.ts';
import type { BlockAt } from './blocks.ts';
import { eventJson, outcomeOf } from './explain.ts';
import { keyJson, storedJson } from './storage-tools.ts';
import { type Context, cutLong, pageOf } from './tool.ts';
import { signTransaction } from './transactions.ts';

type Pair = readonly [key: string, value: string | null];

const mostChanges = 40;

/** Storage that the bookkeeping of every block changes anyway. */
const isBookkeeping = (meaning: KeyMeaning): boolean => {
  if (meaning.kind === 'known') return meaning.name === ':extrinsic_index';
  if (meaning.kind !== 'entry' || meaning.entry.pallet !== 'System') return false;
  return !['Account', 'Code'].includes(meaning.entry.name);
};

type Runtimes = {
  /** Of the runtime that runs the call. */
  readonly meta: RuntimeMeta;
  /** Of the runtime that wrote the state before the call; another one in the block of an upgrade. */
  readonly written: RuntimeMeta;
};

const changeJson = (
  { meta, written }: Runtimes,
  [key, after]: Pair,
  before: string | null,
): readonly unknown[] => {
  const meaning = explainKey(meta, key);
  if (isBookkeeping(meaning)) return [];
  if (meaning.kind !== 'entry') return [{ key, before: cutLong(before), after: cutLong(after) }];
  const { entry, keys } = meaning;
  const old = explainKey(written, key);
  return [
    {
      entry: `${entry.pallet}.${entry.name}`,
      keys: keys.map(keyJson),
      before: old.kind === 'entry' ? storedJson(written, old.entry, before) : cutLong(before),
      after: storedJson(meta, entry, after),
    },
  ];
};

/** The storage that a dry run changed, before and after. */
const readChanges = async ({ request }: Context, runtimes: Runtimes, pairs: readonly Pair[], at: string) => {
  const keys = pairs.map(([key]) => key);
  const [changeSet] = (await request('state_queryStorageAt', [keys, at])) as readonly {
    readonly changes: readonly Pair[];
  }[];
  const before = new Map(changeSet?.changes ?? []);
  const changes = pairs.flatMap((pair) => changeJson(runtimes, pair, before.get(pair[0]) ?? null));
  return pageOf(changes, undefined, mostChanges);
};

/** Fee and weight as reported by the runtime; null if it does not report them. */
const readFee = async (
  context: Context,
  meta: RuntimeMeta,
  call: Uint8Array,
  address: string,
  at: string,
): Promise<unknown> => {
  try {
    const extrinsic = await signTransaction(context, meta, call, { address, path: null });
    const length = toHex(new Uint8Array(Uint32Array.of(fromHex(extrinsic).length).buffer)).slice(2);
    const input = ['TransactionPaymentApi_query_info', `${extrinsic}${length}`, at];
    const info = decodeDispatchInfo(String(await context.request('state_call', input)));
    return {
      fee: String(info.fee),
      class: info.class,
      weight: { refTime: String(info.refTime), proofSize: String(info.proofSize) },
    };
  } catch {
    return null;
  }
};

/** Error code of `dev_dryRun` for transactions that are refused before dispatch. */
const notApplied = 1;

/** Runs a call on behalf of an account in a block that is discarded, and explains the outcome. */
export const dryRun = async (
  context: Context,
  meta: RuntimeMeta,
  call: Uint8Array,
  { address, block }: { readonly address: string; readonly block: BlockAt },
) => {
  const at = block.hash;
  const params = { raw: true, extrinsic: { call: toHex(call), address }, at };
  try {
    const pairs = (await context.request('dev_dryRun', [params])) as readonly Pair[];
    const all = decodeEvents(meta, pairs.find(([key]) => key === eventsKey)?.[1] ?? null);
    // The dry-run extrinsic is the last one of its block.
    const index = Math.max(-1, ...all.map(({ extrinsic }) => extrinsic ?? -1));
    const events = all.filter(({ extrinsic }) => extrinsic === index);
    return {
      outcome: outcomeOf(meta, events),
      events: events.map(eventJson),
      changes: await readChanges(context, { meta, written: await context.meta.of(at) }, pairs, at),
      payment: await readFee(context, meta, call, address, at),
    };
  } catch (error) {
    if (!(error instanceof JsonRpcError) || error.code !== notApplied) throw error;
    return { outcome: { kind: 'refused', reason: error.message } };
  }
};
