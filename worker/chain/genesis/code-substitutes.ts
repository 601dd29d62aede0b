import { NodeError } from '../../../src/protocol/errors.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Executor, Runtime } from '../../executor/executor.ts';
import type { CodeSubstitute } from './spec-rules.ts';

/**
 * The runtime to use on the state of block `number`, whose own runtime is given: that, or the substitute of
 * the specification for its `spec_version` (sc-service `CodeProvider`). If there are several for a version,
 * the latest applies; the SDK uses any of them.
 */
export type SubstituteCode = (onChain: Runtime, number: number) => Runtime;

/**
 * Reads the version of every substitute, as the SDK does at its start. Null if there is none. Throws
 * `BadSpec`.
 */
export const createSubstitutes = (
  { executor, crypto }: { readonly executor: Executor; readonly crypto: Pick<Crypto, 'blake2b256'> },
  substitutes: readonly CodeSubstitute[],
): SubstituteCode | null => {
  if (substitutes.length === 0) return null;
  const latestFirst = substitutes
    .map(({ from, code }) => {
      const key = crypto.blake2b256(code);
      const load = (): Runtime => executor.loaded(key) ?? executor.load(key, code);
      try {
        return { from, load, specVersion: load().version.specVersion };
      } catch (cause) {
        if (!(cause instanceof NodeError) || cause.code === 'LimitReached') throw cause;
        const why = `codeSubstitutes[${from}] is not the code of a runtime: ${cause.message}`;
        throw new NodeError('BadSpec', `Chain specification: ${why}`, { cause });
      }
    })
    .sort((a, b) => b.from - a.from);
  return (onChain, number) => {
    const { specVersion } = onChain.version;
    const found = latestFirst.find((one) => one.specVersion === specVersion && one.from <= number);
    return found === undefined ? onChain : found.load();
  };
};
