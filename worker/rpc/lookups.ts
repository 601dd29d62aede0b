import { NodeError } from '../../src/protocol/errors.ts';
import { isUnavailable } from '../chain/refusal.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { CallResult } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import { toBlockHash } from './convert.ts';
import { type LookUp, lookUpText, RpcError } from './errors.ts';
import type { RpcParts } from './parts.ts';
import type { MaybePromise } from './results.ts';

/** How each engine (V8, SpiderMonkey, JavaScriptCore) names a trap, and how the native node's engine does. */
const names: readonly (readonly [engines: RegExp, native: string])[] = [
  [
    /^unreachable( executed)?|^unreachable code should not be executed/i,
    'wasm `unreachable` instruction executed',
  ],
  [/^(memory access|index) out of bounds|^out of bounds memory access/i, 'out of bounds memory access'],
  [/^(integer )?(divide|division) by zero/i, 'integer divide by zero'],
  [/^divide result unrepresentable|^integer overflow/i, 'integer overflow'],
  [
    /^float unrepresentable in integer range|^out of bounds trunc|^integer truncation/i,
    'invalid conversion to integer',
  ],
  [
    /^table index is out of bounds|^out of bounds call_indirect/i,
    'undefined element: out of bounds table access',
  ],
  [/^(null function or function|indirect call) signature mismatch/i, 'indirect call type mismatch'],
  [/^stack overflow/i, 'call stack exhausted'],
];

/**
 * The outcome of a failed runtime call in the native node's wording. The engine's message or the runtime's
 * panic follows on a separate line, where the native node prints its backtrace.
 */
export const trapText = (trap: string): string => {
  for (const [engines, native] of names) {
    const found = engines.exec(trap);
    if (found === null) continue;
    const rest = trap.slice(found[0].length).replace(/^: /, '');
    return `Execution aborted due to trap: wasm trap: ${native}${rest === '' ? '' : `\n${rest}`}`;
  }
  return trap;
};

type At = string | null | undefined;
type ChainPart = Pick<RpcParts, 'chain'>;

/** The block of an optional hash; null or undefined means the best block. */
export const blockAt = ({ chain }: ChainPart, at: At): BlockHash =>
  at == null ? chain.best().hash : toBlockHash(at);

/** Runs a look-up; converts a missing block or state to the namespace's error. */
export const lookUp = async <T>(how: LookUp, hash: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new RpcError(4003, `Client error: ${lookUpText(error, how, hash)}`);
  }
};

/**
 * Calls a block's runtime; for a missing block or a node error, throws what `fail` returns for the reason.
 */
export const withRuntimeErrors = async <T>(
  hash: BlockHash,
  fail: (why: string) => RpcError,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (isUnavailable(error)) throw fail(lookUpText(error, 'api', hash));
    throw error instanceof NodeError ? fail(error.message) : error;
  }
};

/** Reads a block's state; synchronously if all of it is in memory. */
export const readState = <T>(parts: ChainPart, at: At, read: (backend: Backend) => T): MaybePromise<T> => {
  const hash = blockAt(parts, at);
  const now = parts.chain.tryState(hash, read);
  return now === null ? lookUp('state', hash, () => parts.chain.withState(hash, read, read)) : now.value;
};

/** The reason why a runtime call produced no output, in the SDK's wording. */
export const failureText = (method: string, result: Extract<CallResult, { ok: false }>): string =>
  result.kind === 'missingExport'
    ? `Execution failed: Other: Exported method ${method} is not found`
    : `Execution failed: ${trapText(result.trap)}`;

/** Calls a block's runtime and returns the output. Any failure is error 4003. */
export const callRuntime = async (
  parts: ChainPart,
  how: LookUp,
  at: At,
  method: string,
  input: Uint8Array,
): Promise<Uint8Array> => {
  const hash = blockAt(parts, at);
  const result = await lookUp(how, hash, () => parts.chain.callAt(hash, method, input));
  if (result.ok) return result.output;
  throw new RpcError(4003, `Client error: ${failureText(method, result)}`);
};
