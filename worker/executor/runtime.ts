import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { RuntimeVersion } from '../codec/runtime-version.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Overlay } from '../state/overlay.ts';
import type { KnownRoot } from '../trie/ordered-root.ts';
import { createCallLog, type LogEntry } from './call-log.ts';
import type { CallExtensions } from './extensions.ts';
import { type CallContext, createMemorySizes, defaultHeapPages, maxPages } from './heap-pages.ts';
import type { CallState, HostContext } from './host/context.ts';
import { type CompiledModule, createInstance, type RuntimeInstance } from './instance.ts';
import { findMockSigners } from './mock-signature.ts';
import type { ModuleInfo } from './module-parse.ts';
import type { SignatureCache } from './signature-cache.ts';
import { OutsideMemory, Trap, type TrapKind } from './trap.ts';

/**
 * Fuel limits of a call, including host calls (decision 16). `import` is about seven times what the heaviest
 * block measured takes, and ends an endless loop within seconds; `sealed` is for blocks of other nodes with a
 * verified authority seal; `small` is for everything else; `genesis` (ten seconds of looping) for what only
 * the operator provides.
 */
export type FuelBudget = 'genesis' | 'import' | 'sealed' | 'small' | 'version';

export type CallOptions = {
  readonly extensions?: CallExtensions;
  readonly fuel?: FuelBudget;
  /** Decides the size of the memory. Default: `offchain`. */
  readonly context?: CallContext;
  readonly verifiedSignatures?: SignatureCache;
  /** The extrinsics root that is known already. The runtime requests it again for the same bytes. */
  readonly knownRoot?: KnownRoot | null;
};

/** A failure of the runtime is returned as a value; only `MissingNodes` is thrown. */
export type CallResult =
  | { readonly ok: true; readonly output: Uint8Array; readonly logs: readonly LogEntry[] }
  | {
      readonly ok: false;
      readonly trap: string;
      readonly kind: TrapKind;
      readonly logs: readonly LogEntry[];
    };

/** The runtime of one code blob, ready to be called. */
export type Runtime = {
  readonly version: RuntimeVersion;
  /** Version of the runtime API with this trait name, or null. */
  apiVersion(name: string): number | null;
  hasExport(method: string): boolean;
  /** The decompressed module of the code. */
  readonly module: ModuleInfo;
  call(overlay: Overlay, method: string, input: Uint8Array, options?: CallOptions): CallResult;
};

export type RuntimeParts = Omit<HostContext, 'memory' | 'fuel' | 'call'>;
export type RuntimeOptions = {
  /** `fresh` creates an instance for every call: slow but trivially correct, for tests. */
  readonly instances: 'restored' | 'fresh';
  readonly fuel: Readonly<Record<FuelBudget, bigint>>;
};

/** A runtime without a known version, used to call `Core_version`. */
export type RuntimeCaller = {
  call: Runtime['call'];
  hasExport: Runtime['hasExport'];
  readonly module: ModuleInfo;
  /** Drops the cached instance; the next call creates another. */
  release(): void;
  hasInstance(): boolean;
  /** Size of the cached instance's memory in pages; 0 without one. */
  pages(): number;
};

/** The messages of V8 and JavaScriptCore, and of SpiderMonkey. Any other RangeError is a bug in the node. */
const isStackOverflow = ({ message }: Error): boolean =>
  message.startsWith('Maximum call stack size exceeded') || message.startsWith('too much recursion');
const isOutOfMemory = (error: Error): boolean =>
  error instanceof RangeError && /allocation failed|out of memory/i.test(error.message);

/** A runtime's failure as a value; null if the runtime did not cause the error. */
const trapOf = (
  error: unknown,
  instance: RuntimeInstance | null,
  logs: readonly LogEntry[],
): { trap: string; kind: TrapKind } | null => {
  if (error instanceof Trap) return { trap: error.message, kind: error.kind };
  if (error instanceof WebAssembly.RuntimeError) {
    if (instance !== null && instance.fuelLeft() < 0n)
      return { trap: 'The call ran out of fuel', kind: 'fuel' };
    const panic = logs.findLast((entry) => entry.level === 0)?.message;
    return { trap: panic === undefined ? error.message : `${error.message}: ${panic}`, kind: 'trap' };
  }
  if (!(error instanceof Error)) return null;
  if (isStackOverflow(error)) return { trap: `Stack overflow: ${error.message}`, kind: 'trap' };
  if (isOutOfMemory(error)) return { trap: `No memory for the runtime: ${error.message}`, kind: 'memory' };
  // The runtime passed something to a host function that cannot be decoded, or is not a key.
  if (error instanceof NodeError && (error.code === 'BadScale' || error.code === 'BadKey'))
    return { trap: error.message, kind: 'trap' };
  return null;
};

const newCallState = (overlay: Overlay, options: CallOptions): CallState => ({
  overlay,
  extensions: options.extensions ?? {},
  verifiedSignatures: options.verifiedSignatures ?? null,
  knownRoot: options.knownRoot ?? null,
  log: createCallLog(),
  openTransactions: 0,
  batch: null,
  panic: null,
});

/** Closes the transactions that the call left open, then commits or drops its hidden layer. */
const closeLayer = (overlay: Overlay, depth: number, keep: boolean): void => {
  while (overlay.depth() > depth + 1) overlay.rollbackTransaction();
  overlay.endLayer(keep);
};

/** Of the mock signatures of accounts of Ethereum in a call's input, who signed; null if none of them counts as valid. */
const mockSigners = (
  { verifiedSignatures }: CallState,
  input: Uint8Array,
): readonly (Uint8Array | null)[] | null => {
  const opens = verifiedSignatures?.opens;
  if (opens === undefined) return null;
  const signers = findMockSigners(input).map((account) => (opens(account) ? account : null));
  return signers.some((account) => account !== null) ? signers : null;
};

type Slot = {
  /** `isFull`: its memory has this many pages from the start, and is not used again. */
  take(state: CallState, pages: number, isFull: boolean): RuntimeInstance;
  /** An instance for one call, whose signers get an address alias. */
  takeAliased(
    state: CallState,
    pages: number,
    isFull: boolean,
    signers: readonly (Uint8Array | null)[],
  ): RuntimeInstance;
  give(instance: RuntimeInstance): void;
  release(): void;
  filled(): boolean;
  pages(): number;
};

/** Caches one instance, which is restored before each use. A nested call gets its own. */
const createSlot = (compiled: CompiledModule, parts: RuntimeParts, reuse: boolean): Slot => {
  let kept: RuntimeInstance | null = null;
  const { min } = compiled.info.memory.limits;
  // One instance serves calls of every context.
  const usual = Math.min(min + 2 * defaultHeapPages, maxPages);
  return {
    take: (state, pages, isFull) => {
      const host = { ...parts, call: state };
      if (isFull) return createInstance(compiled, host, { initial: pages, maximum: pages });
      const instance = kept;
      kept = null;
      if (instance === null || instance.maximum < pages)
        return createInstance(compiled, host, { initial: min, maximum: Math.max(pages, usual) });
      instance.host.call = state;
      instance.restore();
      return instance;
    },
    takeAliased: (state, pages, isFull, signers) => {
      const size = { initial: isFull ? pages : min, maximum: pages };
      return createInstance(compiled, { ...parts, call: state }, size, signers);
    },
    give: (instance) => {
      if (reuse && kept === null && instance.reusable()) kept = instance;
    },
    release: () => {
      kept = null;
    },
    filled: () => kept !== null,
    pages: () => kept?.pages() ?? 0,
  };
};

type CallMode = { readonly fuel: bigint; readonly context: CallContext; readonly isFull: boolean };
type Ran = {
  readonly result: CallResult;
  /** The call failed at memory that a native node has and this instance does not have yet. */
  readonly lacksMemory: boolean;
};

/** An access outside the memory by a host function, or by the code: the message of every engine has these words. */
const isOutside = (error: unknown): boolean =>
  error instanceof OutsideMemory ||
  (error instanceof WebAssembly.RuntimeError && /out of bounds/i.test(error.message));

/**
 * Calls exports of a compiled module. Each call sees an instance in its initial state and its own overlay
 * layer. The memory grows as it is allocated, which is cheaper than a native node's full size and can only be
 * observed by code that asks for the size, or uses memory it did not allocate: such calls run with full size.
 */
export const createRuntimeCaller = (
  compiled: CompiledModule,
  parts: RuntimeParts,
  options: RuntimeOptions,
): RuntimeCaller => {
  const slot = createSlot(compiled, parts, options.instances === 'restored');
  const memorySize = createMemorySizes(compiled.info.memory.limits.min);
  const run = (
    state: CallState,
    method: string,
    input: Uint8Array,
    { fuel, context, isFull }: CallMode,
  ): Ran => {
    let instance: RuntimeInstance | null = null;
    let pages = 0;
    const signers = mockSigners(state, input);
    try {
      pages = memorySize(context, state.overlay.backend);
      instance =
        signers === null ? slot.take(state, pages, isFull) : slot.takeAliased(state, pages, isFull, signers);
      const output = instance.run(method, input, fuel, pages);
      return { result: { ok: true, output, logs: state.log.entries(method) }, lacksMemory: false };
    } catch (error) {
      const logs = state.log.entries(method);
      const failure = trapOf(error, instance, logs);
      if (failure === null) throw error;
      const lacksMemory = isOutside(error) && instance !== null && instance.pages() < pages;
      return { result: { ok: false, ...failure, trap: state.panic ?? failure.trap, logs }, lacksMemory };
    } finally {
      if (instance !== null && signers === null) slot.give(instance);
    }
  };
  const runInLayer = (
    overlay: Overlay,
    method: string,
    input: Uint8Array,
    given: CallOptions,
    callMode: CallMode,
  ): Ran => {
    const depth = overlay.depth();
    overlay.startLayer();
    let keep = false;
    try {
      const ran = run(newCallState(overlay, given), method, input, callMode);
      keep = ran.result.ok;
      return ran;
    } finally {
      closeLayer(overlay, depth, keep);
    }
  };
  const call: Runtime['call'] = (overlay, method, input, callOptions = {}) => {
    if (compiled.info.exports.get(method)?.kind !== 0) {
      return { ok: false, trap: `The runtime does not export ${method}`, kind: 'missingExport', logs: [] };
    }
    const { context = 'offchain', extensions } = callOptions;
    const fuel = options.fuel[callOptions.fuel ?? 'import'];
    const isFull = compiled.patched.usesMemorySize;
    const { result, lacksMemory } = runInLayer(overlay, method, input, callOptions, {
      fuel,
      context,
      isFull,
    });
    // Effects outside the overlay cannot be undone.
    if (!lacksMemory || extensions !== undefined) return result;
    return runInLayer(overlay, method, input, callOptions, { fuel, context, isFull: true }).result;
  };
  return {
    call,
    hasExport: (method) => compiled.info.exports.get(method)?.kind === 0,
    release: slot.release,
    module: compiled.info,
    hasInstance: slot.filled,
    pages: slot.pages,
  };
};

/** Adds the version and the lookup of API versions by trait name. */
export const createRuntime = (
  caller: RuntimeCaller,
  version: RuntimeVersion,
  crypto: Pick<Crypto, 'blake2b'>,
): Runtime => {
  const byId = new Map(version.apis.map(([id, api]) => [bytesToHex(id) as string, api]));
  const byName = new Map<string, number | null>();
  return {
    version,
    apiVersion: (name) => {
      const known = byName.get(name);
      if (known !== undefined) return known;
      const found = byId.get(bytesToHex(crypto.blake2b(64, textToBytes(name)))) ?? null;
      byName.set(name, found);
      return found;
    },
    hasExport: caller.hasExport,
    module: caller.module,
    call: caller.call,
  };
};
