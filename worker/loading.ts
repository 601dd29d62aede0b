import { quoteName } from '../src/protocol/chain-id.ts';
import { NodeError } from '../src/protocol/errors.ts';
import type { NodeConfig } from '../src/protocol/node.ts';
import { sourceCode } from './chain/genesis/genesis.ts';
import { type SpecDeps, sourceSpec, specKey } from './chain/genesis/source.ts';
import { loadGenesis, type Sourced } from './chain/genesis/spec.ts';
import type { BlockHash } from './codec/identity.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { Database } from './db/database.ts';
import { createExecutor, type Executor } from './executor/executor.ts';
import type { Platform } from './platform.ts';

/** Loaded while the lock is awaited and the database opens. */
export type Loading = {
  readonly crypto: Promise<Crypto>;
  readonly executor: Promise<Executor>;
  readonly code: Promise<Uint8Array> | null;
  /** Set if the specification was read before the database was open. */
  sourced?: Promise<Sourced>;
};

export const startLoading = (platform: Platform, config: Pick<NodeConfig, 'chain'>): Loading => {
  const code = typeof config.chain === 'string' ? platform.loadRuntime() : null;
  const crypto = platform.loadCrypto();
  const { unzstd } = platform;
  const executor = crypto.then((made) => createExecutor({ crypto: made }, unzstd && { unzstd }));
  // Prevents unhandled rejections; the awaiting caller reports the error.
  for (const one of [code, crypto, executor]) one?.catch(() => undefined);
  return { crypto, code, executor };
};

export const specDeps = (platform: Platform, crypto: Crypto, { code }: Loading): SpecDeps => ({
  crypto,
  loadRuntime: () => code ?? platform.loadRuntime(),
  openSpec: platform.openSpec,
});

/** Loads the code, and compiles the runtime with which the chain began, before the lock is acquired. */
export const prepareLoading = (platform: Platform, chain: NodeConfig['chain']): Loading => {
  const loading = startLoading(platform, { chain });
  const compile = async (): Promise<void> => {
    if (typeof chain === 'object' && 'fork' in chain) return;
    const crypto = await loading.crypto;
    loading.sourced = sourceSpec(specDeps(platform, crypto, loading), chain);
    const code = sourceCode(await loadGenesis((await loading.sourced).spec.genesis));
    (await loading.executor).load(crypto.blake2b256(code), code);
  };
  // The start reports the error.
  compile().catch(() => undefined);
  return loading;
};

/** Throws `BadSpec`. Fields that have no effect are reported, but do not keep the chain from opening. */
export const loadSpec = async (
  platform: Platform,
  { chain }: Pick<NodeConfig, 'chain'>,
  { crypto, db }: { readonly crypto: Crypto; readonly db: Database },
  loading: Loading,
): Promise<Sourced> => {
  const stored = typeof chain === 'object' ? await db.get('meta', specKey) : null;
  const sourced = await (loading.sourced ?? sourceSpec(specDeps(platform, crypto, loading), chain, stored));
  const names = sourced.spec.unknown.map(quoteName).join(', ');
  const text = `The chain specification has fields without effect: ${names}`;
  if (names !== '') platform.onError(new NodeError('Unsupported', text));
  return sourced;
};

/** The next start with the same specification need not read it. */
export const rememberSpec = async (
  db: Database,
  { remember, release }: Sourced,
  genesis: BlockHash,
): Promise<void> => {
  release?.();
  const record = remember?.(genesis) ?? null;
  if (record !== null) await db.write({ puts: [['meta', specKey, record]], deletes: [] });
};
