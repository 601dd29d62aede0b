import { NodeError } from '../../src/protocol/errors.ts';
import { codeKey } from '../chain/genesis/genesis.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import type { Header } from '../codec/header.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Executor, Runtime } from '../executor/executor.ts';
import { missingImports, missingText } from '../executor/host/index.ts';
import { createBackend } from '../state/backend.ts';

export type CheckDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  readonly executor: Pick<Executor, 'load'> & {
    /** Whether a runtime may import host functions that this node does not have: it traps if it calls one. */
    readonly allowsUnresolved?: boolean;
  };
  readonly store: TrieStore;
};

/**
 * Resolves to the runtime, and the hash of its code. Throws `BadCode` if this node cannot run the runtime in the state of a block: without this, the fork would be stored, and
 * its first block fail. Like native nodes, it does not run code with unknown imports (sc-executor-wasmtime, `imports.rs`).
 */
export const checkRuntime = async (
  { crypto, executor, store }: CheckDeps,
  { number, stateRoot }: Pick<Header, 'number' | 'stateRoot'>,
): Promise<{ readonly runtime: Runtime; readonly codeHash: Uint8Array }> => {
  const backend = createBackend({ blake2b256: crypto.blake2b256, source: store }, stateRoot);
  const found = await store.run(() => {
    const code = backend.get(codeKey);
    return code === null ? null : { code, hash: backend.valueHash(codeKey) as Uint8Array };
  });
  if (found === null) throw new NodeError('BadCode', `The state of block #${number} has no runtime code`);
  const runtime = executor.load(found.hash, found.code);
  const { module, version } = runtime;
  const missing = missingImports(module);
  if (missing.length > 0 && executor.allowsUnresolved !== true)
    throw new NodeError(
      'BadCode',
      `The runtime of block #${number}, ${version.specName} ${version.specVersion}, ${missingText(missing)}. With --allow-unresolved-imports (allowUnresolvedImports in a program), it opens, and traps if it calls one`,
    );
  return { runtime, codeHash: found.hash };
};
