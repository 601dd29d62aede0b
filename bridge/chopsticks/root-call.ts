import { DecodeFault, faultText } from '../../src/scale/cursor.ts';
import { decodeValue } from '../../src/scale/decode.ts';
import { blake2 } from '../../src/scale/hash.ts';
import { fromHex, toHex } from '../../src/scale/hex.ts';
import { createRuntimeMeta } from '../../src/scale/runtime.ts';
import { storageEntry } from '../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import { bad } from '../cli/arguments.ts';
import type { Request } from './request.ts';
import { undone } from './undone.ts';

/** Storage by name, before and after. */
type Changes = { readonly old: Tree; readonly new: Tree };
type Tree = { readonly [name: string]: unknown };

type Phase = Changes & {
  readonly phase: string;
  readonly events: readonly { readonly name: string; readonly data: unknown }[];
  readonly logs: readonly string[];
};

export type RootCallRan = Changes & {
  /** `Ok`, or `Err` with the dispatch error. */
  readonly outcome: unknown;
  readonly events: Phase['events'];
};

/** Longer calls are not kept in the agenda itself (frame-support, `Bounded`). */
const longestInline = 128;

const hashLength = 32;

/** Throws `BadConfig` unless the bytes are one call of the runtime. */
const checkCall = (meta: RuntimeMeta, call: Uint8Array): void => {
  try {
    decodeValue(meta, meta.callType ?? -1, call);
  } catch (fault) {
    if (!(fault instanceof DecodeFault)) throw fault;
    const hint =
      call.length === hashLength ? '; if they are the hash of a preimage, write the call itself' : '';
    throw bad(`--preimage: the bytes are no call of this runtime: ${faultText(fault)}${hint}`, fault);
  }
};

const requestedStatus = (meta: RuntimeMeta, hash: string, length: number): Tree =>
  storageEntry(meta, 'Preimage', 'RequestStatusFor') === null
    ? { StatusFor: [[[hash], { Requested: { count: 1, len: length } }]] }
    : { RequestStatusFor: [[[hash], { Requested: { count: 1, maybeLen: length } }]] };

/** Has Scheduler dispatch a call as root in the next block. */
const scheduleAt = (meta: RuntimeMeta, block: number, call: Uint8Array): Tree => {
  const isLong = call.length > longestInline;
  if (meta.pallet('Scheduler') === null) throw bad('--preimage: this runtime has no pallet Scheduler');
  if (isLong && meta.pallet('Preimage') === null)
    throw bad('--preimage: this runtime has no pallet Preimage');
  const [hash, len] = [toHex(blake2(call)), call.length];
  const bounded = isLong ? { Lookup: { hash, len } } : { Inline: toHex(call) };
  const task = { priority: 0, call: bounded, origin: { system: 'Root' } };
  return {
    Scheduler: { Agenda: [[[block], [task]]] },
    ...(isLong
      ? {
          Preimage: {
            PreimageFor: [[[[hash, len]], [...call]]],
            ...requestedStatus(meta, hash, len),
          },
        }
      : {}),
  };
};

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What of the first is not the same in the second. */
const without = (tree: Tree, known: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).flatMap(([name, value]) => {
      const other = known[name];
      if (!isTree(value) || !isTree(other))
        return JSON.stringify(value) === JSON.stringify(other) ? [] : [[name, value]];
      const left = without(value, other);
      return Object.keys(left).length === 0 ? [] : [[name, left]];
    }),
  );

/** Only the members that the other tree has. */
const within = (tree: Tree, shape: Tree): Tree =>
  Object.fromEntries(
    Object.entries(shape).map(([name, below]) => {
      const value = tree[name];
      return [name, isTree(value) && isTree(below) ? within(value, below) : (value ?? null)];
    }),
  );

/** The first part of the next block, in which Scheduler dispatches. */
const openingOf = async (request: Request): Promise<Phase> => {
  const hash = await request('dev_newBlock', []);
  const { phases } = (await request('dev_runBlock', [hash])) as { readonly phases: readonly Phase[] };
  return phases.find(({ phase }) => phase === 'initialization') as Phase;
};

const outcomeOf = ({ events }: Phase): unknown => {
  const dispatched = events.filter(({ name }) => name === 'Scheduler.Dispatched').at(-1);
  if (dispatched === undefined)
    throw bad('--preimage: Scheduler did not dispatch the call; its weight may be too large');
  const { result } = dispatched.data as { readonly result: Tree };
  return Object.hasOwn(result, 'Err') || Object.hasOwn(result, 'err')
    ? { Err: result['Err'] ?? result['err'] }
    : 'Ok';
};

const snapshot = 'tabnode:without-call';

/**
 * Dispatches a call as root in the next block of a fork, and returns what it does. The same block without the call tells the
 * changes of hooks apart. The block with the call stays. Throws `BadConfig`.
 */
export const runRootCall = async (request: Request, hex: string): Promise<RootCallRan> => {
  const meta = createRuntimeMeta(fromHex(String(await request('state_getMetadata', []))));
  const call = fromHex(hex);
  checkCall(meta, call);
  const head = await request('chain_getBlockHash', []);
  const { number } = (await request('chain_getHeader', [head])) as { readonly number: string };
  const edits = scheduleAt(meta, Number(number) + 1, call);
  // Going back by a snapshot also frees the slot, so that both blocks have the same time.
  const plain = await undone(request, snapshot, () => openingOf(request));
  await request('dev_setStorage', [edits]);
  const ran = await openingOf(request);
  const after = without(ran.new, plain.new);
  return { outcome: outcomeOf(ran), old: within(ran.old, after), new: after, events: ran.events };
};
