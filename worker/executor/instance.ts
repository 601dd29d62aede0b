import { NodeError } from '../../src/protocol/errors.ts';
import { noBytes } from '../bytes/bytes.ts';
import { createFuelMeter } from './fuel.ts';
import { createGuestMemory } from './guest-memory.ts';
import { type AddressAlias, createAddressAlias } from './host/address-alias.ts';
import type { HostContext } from './host/context.ts';
import { handlerFor } from './host/index.ts';
import { fuelExport, globalExport, ownMemory, type PatchedModule } from './module.ts';
import type { ModuleInfo } from './module-parse.ts';
import { Trap } from './trap.ts';

/** A compiled module that can be instantiated any number of times. */
export type CompiledModule = {
  readonly info: ModuleInfo;
  readonly patched: PatchedModule;
  readonly module: WebAssembly.Module;
};

export type RuntimeInstance = {
  readonly host: HostContext;
  /** The most pages that its memory may ever have. */
  readonly maximum: number;
  /** Resets memory, globals and allocator to their state after instantiation. */
  restore(): void;
  /** Whether this instance may be used for another call after a restore. */
  reusable(): boolean;
  /**
   * Writes the input to memory, runs the export, and returns a copy of the output. The allocator gets at most
   * `pageLimit` pages, which is not more than `maximum`.
   */
  run(method: string, input: Uint8Array, fuel: bigint, pageLimit: number): Uint8Array;
  fuelLeft(): bigint;
  /** Current size of its memory in pages. */
  pages(): number;
};

/** A restore clears the whole memory. Above this growth (1 MiB), a new instance is cheaper. */
const keepGrowthPages = 16;

/** A copy of the non-zero part of the fresh memory. */
const snapshotOf = (bytes: Uint8Array): { start: number; data: Uint8Array } => {
  const words = new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
  let first = 0;
  while (first < words.length && words[first] === 0) first++;
  let last = words.length;
  while (last > first && words[last - 1] === 0) last--;
  return { start: first * 4, data: bytes.slice(first * 4, last * 4) };
};

/** The memory of an instance in pages. */
export type MemorySize = { readonly initial: number; readonly maximum: number };

const createMemory = (size: MemorySize): WebAssembly.Memory => {
  try {
    return new WebAssembly.Memory(size);
  } catch (cause) {
    throw new Trap(`No memory for the runtime: ${String(cause)}`, 'memory');
  }
};

const importObject = (
  info: ModuleInfo,
  host: HostContext,
  memory: WebAssembly.Memory,
  alias: AddressAlias | null,
): WebAssembly.Imports => {
  const functionFor = (entry: ModuleInfo['imports'][number]): WebAssembly.ImportValue => {
    const handler = handlerFor(host, entry);
    return (alias?.wrap(entry.name, handler) ?? handler) as WebAssembly.ImportValue;
  };
  const out: Record<string, Record<string, WebAssembly.ImportValue>> = {
    [ownMemory.module]: { [ownMemory.name]: memory },
  };
  for (const entry of info.imports) {
    const group = out[entry.module] ?? {};
    out[entry.module] = group;
    if (entry.kind === 'func') group[entry.name] = functionFor(entry);
    else if (entry.kind === 'memory') group[entry.name] = memory;
    else
      throw new NodeError('BadCode', `The runtime imports the ${entry.kind} ${entry.module}.${entry.name}`);
  }
  return out;
};

type Bound = {
  readonly instance: WebAssembly.Instance;
  readonly heapBase: number;
  readonly alias: AddressAlias | null;
};

/** Native nodes look for a memory of this name, which may also be imported under it. */
const hasMemory = ({ imports, exports }: ModuleInfo): boolean =>
  exports.get('memory')?.kind === 2 ||
  imports.some(({ kind, name }) => kind === 'memory' && name === 'memory');

/** A function that is imported under two types does not fit one of them. */
const instantiate = (module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance => {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch (cause) {
    if (!(cause instanceof WebAssembly.LinkError)) throw cause;
    throw new NodeError('BadCode', `The engine refuses the runtime: ${cause.message}`, { cause });
  }
};

const bind = (
  compiled: CompiledModule,
  host: HostContext,
  size: MemorySize,
  alias: AddressAlias | null,
): Bound => {
  if (!hasMemory(compiled.info)) throw new NodeError('BadCode', 'The runtime exports no memory');
  const memory = createMemory(size);
  host.memory.attach(memory, host.fuel.charge);
  const instance = instantiate(compiled.module, importObject(compiled.info, host, memory, alias));
  const base = instance.exports['__heap_base'];
  if (!(base instanceof WebAssembly.Global))
    throw new NodeError('BadCode', 'The runtime exports no __heap_base');
  return { instance, heapBase: Number(base.value) >>> 0, alias };
};

const globalAt = (instance: WebAssembly.Instance, name: string): WebAssembly.Global => {
  const found = instance.exports[name];
  if (!(found instanceof WebAssembly.Global))
    throw new NodeError('BadCode', `The patched module lacks ${name}`);
  return found;
};

const runExport = (bound: Bound, host: HostContext, method: string, input: Uint8Array): Uint8Array => {
  const entry = bound.instance.exports[method];
  if (typeof entry !== 'function') throw new Trap(`The runtime does not export ${method}`, 'missingExport');
  const pointer = host.memory.allocWritePointer(input);
  const span: unknown = entry(pointer, input.length);
  if (typeof span !== 'bigint') throw new Trap(`${method} is no runtime entry point`);
  bound.alias?.end();
  return host.memory.copy(span);
};

/**
 * Instantiates a compiled runtime. Set `host.call` before each `run`. With `signers`, see `createAddressAlias`, it is for a single
 * call.
 */
export const createInstance = (
  compiled: CompiledModule,
  parts: Omit<HostContext, 'memory' | 'fuel'>,
  size: MemorySize,
  signers: readonly (Uint8Array | null)[] | null = null,
): RuntimeInstance => {
  const host: HostContext = { ...parts, memory: createGuestMemory(), fuel: createFuelMeter() };
  const bound = bind(compiled, host, size, signers === null ? null : createAddressAlias(host, signers));
  const { memory } = host;
  const firstPages = memory.pages();
  // Restoring a memory that begins with its full size would take longer than a new one.
  const isReusable = firstPages === compiled.info.memory.limits.min;
  const { start, data } = isReusable ? snapshotOf(memory.bytes()) : { start: 0, data: noBytes };
  const globals = compiled.info.mutableGlobals.map((_, position) => {
    const global = globalAt(bound.instance, globalExport(position));
    return { global, value: global.value as number | bigint };
  });
  const fuel = globalAt(bound.instance, fuelExport);
  host.fuel.attach(fuel);
  memory.allocator.reset(bound.heapBase);
  return {
    host,
    maximum: size.maximum,
    restore: () => {
      const bytes = memory.bytes();
      // Clears the whole memory, beyond the allocator's bump pointer, because code may write anywhere.
      bytes.fill(0, 0, start);
      bytes.set(data, start);
      bytes.fill(0, start + data.length);
      for (const { global, value } of globals) global.value = value;
      memory.allocator.reset(bound.heapBase);
    },
    reusable: () => isReusable && memory.pages() - firstPages <= keepGrowthPages,
    run: (method, input, fuelBudget, pageLimit) => {
      memory.setPageLimit(pageLimit);
      fuel.value = fuelBudget;
      host.fuel.reset();
      memory.resetTouched();
      return runExport(bound, host, method, input);
    },
    fuelLeft: () => fuel.value as bigint,
    pages: () => memory.pages(),
  };
};
