import { NodeError } from '../../../../src/protocol/errors.ts';
import { bytesToHex } from '../../../bytes/hex.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { TracingHost } from '../../../executor/extensions.ts';
import { childKey } from '../../../state/backend.ts';
import type { Overlay } from '../../../state/overlay.ts';
import { failureText } from '../../lookups.ts';
import type { RpcParts } from '../../parts.ts';
import { badRange } from './query-storage.ts';
import type { Budget } from './walks.ts';

/** Verbosity levels; a higher index includes more. */
export const traceLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type TraceLevel = (typeof traceLevels)[number];

type Target = { readonly prefix: string; readonly level: number };

const trace = traceLevels.indexOf('trace');

/** A level's name, or 1 (error) to 5 (trace); anything else enables all levels. */
const parseLevel = (text: string): number => {
  const named = traceLevels.indexOf(text.toLowerCase() as TraceLevel);
  const level = named >= 0 ? named : /^[1-5]$/.test(text) ? Number(text) - 1 : trace;
  return level;
};

const parseTarget = (text: string): Target => {
  const at = text.indexOf('=');
  return at < 0
    ? { prefix: text, level: trace }
    : { prefix: text.slice(0, at), level: parseLevel(text.slice(at + 1)) };
};

/** A comma-separated list of prefixes, each with an optional `=level` (sc-tracing, `parse_target`). */
export const createTraceFilter = (list: string): ((text: string, level: TraceLevel) => boolean) => {
  const targets = list.split(',').map(parseTarget);
  return (text, level) => {
    const wanted = traceLevels.indexOf(level);
    return targets.some((target) => text.startsWith(target.prefix) && wanted <= target.level);
  };
};

/** The SDK's default if no targets are given (sc-tracing, block/mod.rs). */
const defaultTargets = 'pallet,frame,state';
const stateTarget = 'state';
const spanTarget = 'block_trace';

export type TraceRequest = {
  readonly targets: string | null;
  readonly storageKeys: string | null;
  readonly methods: string | null;
};

type Values = Record<string, string>;
type TraceEvent = { target: string; data: { stringValues: Values }; parentId: number | null };

const plainHex = (bytes: Uint8Array): string => bytesToHex(bytes).slice(2);

/** Shortens long values to both ends, like the SDK's `HexDisplay` (sp-core). */
const display = (bytes: Uint8Array): string =>
  bytes.length < 1027
    ? plainHex(bytes)
    : `${plainHex(bytes.subarray(0, 512))}...${plainHex(bytes.subarray(-512))}`;

const debugOption = (value: Uint8Array | null): string =>
  value === null ? 'None' : `Some(${plainHex(value)})`;

/** `Option` of raw bytes, without a length prefix. */
const encodedOption = (value: Uint8Array | null): string => (value === null ? '00' : `01${display(value)}`);

type Emit = (method: string, key: Uint8Array, values: () => Values) => void;

/** Wraps the overlay and emits an event for each read and write of a key (sp-state-machine, ext.rs). */
const observeState = (overlay: Overlay, emit: Emit): Overlay => ({
  ...overlay,
  get: (key) => {
    const result = overlay.get(key);
    emit('Get', key, () => ({ result: debugOption(result), result_encoded: encodedOption(result) }));
    return result;
  },
  exists: (key) => {
    const result = overlay.exists(key);
    emit('Exists', key, () => ({ result: String(result) }));
    return result;
  },
  set: (key, value) => {
    emit('Put', key, () => ({ value: debugOption(value), value_encoded: encodedOption(value) }));
    overlay.set(key, value);
  },
  clear: (key) => {
    emit('Put', key, () => ({ value: debugOption(null), value_encoded: encodedOption(null) }));
    overlay.clear(key);
  },
  append: (key, item) => {
    emit('Append', key, () => ({ value: display(item) }));
    overlay.append(key, item);
  },
  childGet: (name, key) => {
    const result = overlay.childGet(name, key);
    emit('ChildGet', key, () => ({ child_info: display(childKey(name)), result: debugOption(result) }));
    return result;
  },
  childExists: (name, key) => {
    const result = overlay.childExists(name, key);
    emit('ChildExists', key, () => ({ child_info: display(childKey(name)), result: String(result) }));
    return result;
  },
  childSet: (name, key, value) => {
    emit('ChildPut', key, () => ({ child_info: display(childKey(name)), value: debugOption(value) }));
    overlay.childSet(name, key, value);
  },
  childClear: (name, key) => {
    emit('ChildPut', key, () => ({ child_info: display(childKey(name)), value: debugOption(null) }));
    overlay.childClear(name, key);
  },
});

/** Two random bytes identify the traced storage, as in the SDK. */
const randomId = (): string => plainHex(crypto.getRandomValues(new Uint8Array(2)));

type Span = { id: number; parentId: number | null; name: string; target: string; wasm: boolean };

/**
 * Numbers the spans of a run, starting with the node's own, and keeps those of the requested targets. Every
 * span gets a number, because the SDK filters by target afterwards.
 */
const createSpans = (targets: string, budget: Budget) => {
  const isWanted = createTraceFilter(targets);
  const own = { id: 1, parentId: null, name: 'trace_block', target: spanTarget, wasm: false };
  let lastId = 0;
  let spans: Span[] = [];
  const tracing: TracingHost = {
    isEnabled: ({ isSpan }) => isSpan,
    enter: ({ name, target, level }, parentId) => {
      const id = ++lastId;
      if (isWanted(target, traceLevels[level] ?? 'trace')) {
        budget.spend(name.length + target.length + 60);
        spans.push({ id, parentId: parentId === null ? null : Number(parentId), name, target, wasm: true });
      }
      return BigInt(id);
    },
  };
  return {
    tracing,
    list: () => spans,
    restart: (): void => {
      spans = isWanted(spanTarget, 'info') ? [own] : [];
      lastId = spans.length;
    },
  };
};

/** Collects the events that a request selects. Without keys or without methods there are none. */
const createEvents = (request: TraceRequest, targets: string, budget: Budget) => {
  const isTraced = createTraceFilter(targets)(stateTarget, 'trace');
  const keys = request.storageKeys === null ? null : createTraceFilter(request.storageKeys);
  const methods = request.methods === null ? null : createTraceFilter(request.methods);
  const id = randomId();
  let events: TraceEvent[] = [];
  const emit: Emit = (method, key, values) => {
    const shown = display(key);
    if (keys === null || methods === null || !keys(shown, 'trace') || !methods(method, 'trace')) return;
    const stringValues = { method, ext_id: id, key: shown, ...values() };
    budget.spend(JSON.stringify(stringValues).length + 60);
    events.push({ target: stateTarget, data: { stringValues }, parentId: null });
  };
  return {
    list: () => events,
    observe: (overlay: Overlay): Overlay => {
      events = [];
      return isTraced ? observeState(overlay, emit) : overlay;
    },
  };
};

/** `state_traceBlock`: re-executes a block and returns its reads and writes. Throws 4001. */
export const traceBlock = async (
  { chain }: Pick<RpcParts, 'chain'>,
  hash: BlockHash,
  request: TraceRequest,
  budget: Budget,
) => {
  const fail = (details: string) => badRange(hash, 'None', details);
  const refuse = (why: string) => fail(`Dispatch error: Failed to collect traces and execute block: ${why}`);
  const header = await chain.loadHeader(hash);
  if (header === null) throw fail('Missing block component: Header not found');
  const block = await chain.loadBlock(hash);
  if (block === null) throw fail('Missing block component: Extrinsics not found');
  const targets = request.targets ?? defaultTargets;
  const events = createEvents(request, targets, budget);
  const spans = createSpans(targets, budget);
  const observe = (overlay: Overlay): Overlay => {
    spans.restart();
    return events.observe(overlay);
  };
  try {
    const { result } = await chain.reexecute(block, observe, { tracing: spans.tracing });
    if (!result.ok) throw refuse(failureText('Core_execute_block', result));
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw refuse(
      error.code === 'UnknownBlock' ? `RuntimeApiError(UnknownBlock("${error.message}"))` : error.message,
    );
  }
  return {
    blockTrace: {
      blockHash: hash.slice(2),
      parentHash: plainHex(header.parentHash),
      tracingTargets: targets,
      storageKeys: request.storageKeys ?? '',
      methods: request.methods ?? '',
      spans: spans.list(),
      events: events.list(),
    },
  };
};
