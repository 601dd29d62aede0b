import type { WasmImport, WasmType } from '../module-parse.ts';
import { Trap } from '../trap.ts';
import { childStorageFunctions } from './child-storage.ts';
import type { HostContext, HostFunction, HostHandler } from './context.ts';
import { costOf, type HostCost } from './costs.ts';
import { cryptoFunctions } from './crypto.ts';
import { hashingFunctions } from './hashing.ts';
import { miscFunctions } from './misc.ts';
import { offchainFunctions } from './offchain.ts';
import { offchainHttpFunctions } from './offchain-http.ts';
import { refusedFunctions } from './refused.ts';
import { storageFunctions } from './storage.ts';
import { trieFunctions } from './trie.ts';

/** The single table of all host functions. */
export const hostFunctions: ReadonlyMap<string, HostFunction> = /* @__PURE__ */ new Map(
  [
    ...storageFunctions,
    ...childStorageFunctions,
    ...cryptoFunctions,
    ...hashingFunctions,
    ...trieFunctions,
    ...offchainFunctions,
    ...offchainHttpFunctions,
    ...miscFunctions,
    ...refusedFunctions,
  ].map((row) => [row.name, row]),
);

const fits = (row: HostFunction, type: WasmType): boolean =>
  row.results === type.results && (row.params === type.params || row.also === type.params);

type AnyHandler = (a: unknown, b: unknown, c: unknown, d: unknown, e?: unknown) => unknown;

/**
 * Charges fuel for the handler's work before the runtime continues. Handlers take at most five arguments (a
 * version 2 proof), and at most four if only calls or state are charged. A transfer makes hundreds of these
 * calls, most of them for memory, so this reads nothing that cannot have changed.
 */
const metered = (host: HostContext, { call, byte, state }: HostCost, handler: HostHandler): HostHandler => {
  const { memory, fuel } = host;
  const run = handler as AnyHandler;
  const flat: AnyHandler = (a, b, c, d) => {
    fuel.charge(call);
    return run(a, b, c, d);
  };
  const byBytes: AnyHandler = (a, b, c, d, e) => {
    const bytes = memory.touched();
    const answer = run(a, b, c, d, e);
    fuel.charge(call + (memory.touched() - bytes) * byte);
    return answer;
  };
  const byBytesAndSteps: AnyHandler = (a, b, c, d) => {
    const { overlay } = host.call;
    const bytes = memory.touched();
    const steps = overlay.steps();
    const answer = run(a, b, c, d);
    fuel.charge(call + (memory.touched() - bytes) * byte + (overlay.steps() - steps));
    return answer;
  };
  return (byte === 0 ? flat : state ? byBytesAndSteps : byBytes) as HostHandler;
};

const rowOf = ({ module, name, type }: WasmImport) => {
  const row = module === 'env' ? hostFunctions.get(name) : undefined;
  return row !== undefined && type !== null && fits(row, type) ? row : null;
};

/** The functions that a module imports and this node does not offer. */
export const missingImports = ({ imports }: { readonly imports: readonly WasmImport[] }): string[] =>
  imports
    .filter((entry) => entry.kind === 'func' && rowOf(entry) === null)
    .map(({ module, name }) => `${module}.${name}`);

/** What a runtime without some of its imports is refused with. */
export const missingText = (names: readonly string[]): string =>
  `needs host functions that this node does not have: ${names.join(', ')}`;

/** The handler for one import. Names or types that are not in the table get a stub that traps when called. */
export const handlerFor = (host: HostContext, entry: WasmImport): HostHandler => {
  const row = rowOf(entry);
  if (row !== null) {
    const handler = row.create(host);
    return row.isMetered ? handler : metered(host, costOf(entry.name), handler);
  }
  return () => {
    throw new Trap(`The runtime called ${entry.module}.${entry.name}, which this node does not offer`);
  };
};
