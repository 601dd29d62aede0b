import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, noBytes } from '../bytes/bytes.ts';
import {
  decodeRuntimeVersion,
  encodeRuntimeVersion,
  type RuntimeVersion,
  versionFromSections,
} from '../codec/runtime-version.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import { emptySource } from '../trie/node-source.ts';
import { type Unzstd, unpackCode } from './code-blob.ts';
import { withHashMemo } from './hash-memo.ts';
import type { CompiledModule } from './instance.ts';
import { createLogFilter, type LogFilter } from './log-filter.ts';
import { createLogWatch, type LogWatch } from './log-watch.ts';
import { patchModule } from './module.ts';
import {
  codeSection,
  customSection,
  type ModuleFile,
  type ModuleInfo,
  parseModule,
  readModule,
} from './module-parse.ts';
import {
  createRuntime,
  createRuntimeCaller,
  type FuelBudget,
  type Runtime,
  type RuntimeCaller,
  type RuntimeOptions,
  type RuntimeParts,
} from './runtime.ts';

export type { CallOptions, CallResult, FuelBudget, Runtime } from './runtime.ts';

export type ExecutorOptions = {
  readonly instances?: 'restored' | 'fresh';
  readonly fuel?: Partial<Readonly<Record<FuelBudget, bigint>>>;
  /** The platform's libzstd, if it has one: faster than the crypto core's decoder. */
  readonly unzstd?: Unzstd;
};

/** Loads runtime code and runs it on the JavaScript engine's WebAssembly. */
export type Executor = {
  /**
   * `codeHash` is any key that identifies the code, such as the trie's value hash. Throws `BadCode`,
   * `MissingApi`.
   */
  load(codeHash: Uint8Array, code: Uint8Array): Runtime;
  /** The runtime of that code if it is cached, which avoids reading the code again. */
  loaded(codeHash: Uint8Array): Runtime | null;
  /** How many runtimes currently have an instance: at most two between calls. */
  liveInstances(): number;
  /** Total size of their memories, in pages of 64 KiB. */
  memoryPages(): number;
  /** Emits what runtimes log, like `LogWatch`, until the returned function is called. */
  watchLogs: LogWatch['watch'];
  /** Adds one of the node's own lines to the log. */
  note: LogWatch['note'];
  readonly logFilter: Pick<LogFilter, 'add' | 'reset'>;
};

/**
 * A unit is a loop header, a function entry, or 64 plain instructions (crates/crypto/src/opcodes.rs);
 * host/costs.ts lists the cost of host calls. Any code consumes at least 70 million units per second, real
 * code 200 million. The heaviest block measured, filled to its weight limit with 1,975 transfers, takes 96
 * million, 47 of them in its own code.
 */
const defaultFuel: Readonly<Record<FuelBudget, bigint>> = {
  genesis: 4_000_000_000n,
  import: 700_000_000n,
  // The heaviest block that a relay chain allows takes two seconds in a native node. Assumes ten times that
  // time here, at 10 ns per unit, with a margin of five.
  sealed: 10_000_000_000n,
  small: 200_000_000n,
  // Equals the charge for `ext_misc_runtime_version`, so that code that queries its own version recursively
  // runs out of fuel.
  version: 10_000_000n,
};
/** The contents of a code section without functions. */
const noFunctions = /* @__PURE__ */ Uint8Array.of(0);
const cachedRuntimes = 8;
const maxLiveInstances = 2;

/**
 * Frees the memory at once. In a worker that allocates little, the garbage collector may not run for minutes,
 * and a page may have many workers.
 */
const release = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
};

/** The engine keeps the code: two more copies of it are 7 MB a runtime, in each node. */
const compile = (info: ModuleInfo, crypto: Crypto): CompiledModule => {
  const patched = patchModule(info, crypto);
  try {
    const module = new WebAssembly.Module(patched.bytes as Uint8Array<ArrayBuffer>);
    release(patched.bytes);
    return { info: { ...info, bytes: noBytes }, patched: { ...patched, bytes: noBytes }, module };
  } catch (cause) {
    throw new NodeError('BadCode', `The engine refuses the runtime: ${String(cause)}`, { cause });
  }
};

/** Null if the module does not contain its version. Throws `BadCode`. */
const sectionsVersion = (file: ModuleFile): RuntimeVersion | null => {
  try {
    return versionFromSections(customSection(file, 'runtime_version'), customSection(file, 'runtime_apis'));
  } catch (cause) {
    throw new NodeError('BadCode', 'The sections with the version of the runtime cannot be decoded', {
      cause,
    });
  }
};

/** The SCALE RuntimeVersion that the code itself returns, on an empty state. */
const callVersion = (caller: RuntimeCaller, crypto: Crypto): Uint8Array => {
  if (!caller.hasExport('Core_version'))
    throw new NodeError('MissingApi', 'The code does not export Core_version');
  const overlay = createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
  const result = caller.call(overlay, 'Core_version', noBytes, { fuel: 'version' });
  if (!result.ok) throw new NodeError('BadCode', `Core_version failed: ${result.trap}`);
  return result.output;
};

type Entry = { readonly runtime: Runtime; readonly caller: RuntimeCaller };

/** Runtimes by code hash, oldest first. Keeps at most two instances alive. */
const createRuntimeCache = () => {
  const entries = new Map<string, Entry>();
  const touch = (key: string, entry: Entry): void => {
    entries.delete(key);
    entries.set(key, entry);
  };
  const live = (): Entry[] => [...entries.values()].filter((entry) => entry.caller.hasInstance());
  return {
    get: (key: string): Entry | undefined => entries.get(key),
    live: (): number => live().length,
    pages: (): number => live().reduce((sum, entry) => sum + entry.caller.pages(), 0),
    /** Called after a call: marks the runtime as most recently used and drops instances above the limit. */
    used: (key: string, entry: Entry): void => {
      if (!entries.has(key)) {
        entry.caller.release();
        return;
      }
      touch(key, entry);
      for (const old of live().slice(0, -maxLiveInstances)) old.caller.release();
    },
    add: (key: string, entry: Entry): void => {
      touch(key, entry);
      for (const [oldest, dropped] of entries) {
        if (entries.size <= cachedRuntimes) break;
        dropped.caller.release();
        entries.delete(oldest);
      }
    },
  };
};

export const createExecutor = (
  deps: { readonly crypto: Crypto },
  options: ExecutorOptions = {},
): Executor => {
  const { crypto } = deps;
  const runtimeOptions: RuntimeOptions = {
    instances: options.instances ?? 'restored',
    fuel: { ...defaultFuel, ...options.fuel },
  };
  const cache = createRuntimeCache();
  const unpack = (code: Uint8Array): Uint8Array => unpackCode(code, crypto.unzstd, options.unzstd);
  // The default of native nodes.
  const logFilter = createLogFilter('info');
  const logs = createLogWatch(logFilter);
  // As in the SDK, whether a module can be instantiated only matters without an embedded version.
  const versionOf = (code: Uint8Array): Uint8Array | null => {
    try {
      const file = readModule(unpack(code), crypto);
      crypto.checkCode(codeSection(file) ?? noFunctions);
      const embedded = sectionsVersion(file);
      if (embedded !== null) return encodeRuntimeVersion(embedded);
      return callVersion(
        createRuntimeCaller(compile(parseModule(file), crypto), parts, runtimeOptions),
        crypto,
      );
    } catch (error) {
      if (error instanceof NodeError) return null;
      throw error;
    }
  };
  const parts: RuntimeParts = {
    crypto,
    hashes: withHashMemo(crypto),
    maxLogLevel: logs.maxLevel,
    versionOf,
  };
  const create = (key: string, code: Uint8Array): Entry => {
    const bytes = unpack(code);
    const file = readModule(bytes, crypto);
    const embedded = sectionsVersion(file);
    const plain = createRuntimeCaller(compile(parseModule(file), crypto), parts, runtimeOptions);
    if (bytes !== code) release(bytes);
    const caller: RuntimeCaller = {
      ...plain,
      call: (overlay, method, input, callOptions) => {
        try {
          const result = plain.call(overlay, method, input, callOptions);
          // A trial must not have visible effects.
          if (overlay.backend.isTrial !== true) logs.ended({ overlay, method, input }, result);
          return result;
        } finally {
          cache.used(key, entry);
        }
      },
    };
    const version = embedded ?? decodeRuntimeVersion(callVersion(plain, crypto));
    const entry: Entry = { runtime: createRuntime(caller, version, crypto), caller };
    cache.add(key, entry);
    return entry;
  };
  return {
    load: (codeHash, code) => {
      const key = bytesToKey(codeHash);
      return (cache.get(key) ?? create(key, code)).runtime;
    },
    loaded: (codeHash) => cache.get(bytesToKey(codeHash))?.runtime ?? null,
    liveInstances: cache.live,
    memoryPages: cache.pages,
    watchLogs: logs.watch,
    note: logs.note,
    logFilter,
  };
};
