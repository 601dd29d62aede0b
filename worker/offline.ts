import { NodeError } from '../src/protocol/errors.ts';
import type { ChainSource, StorageSource } from '../src/protocol/node.ts';
import type { BlockReport, Offline, SpecNames, StoredChain, WriteText } from '../src/protocol/offline.ts';
import { bytesToText, equalBytes } from './bytes/bytes.ts';
import { bytesToHex } from './bytes/hex.ts';
import { revertChain } from './chain/dev/revert.ts';
import { sourceCode } from './chain/genesis/genesis.ts';
import { patchSpec } from './chain/genesis/patched.ts';
import { sourceSpec } from './chain/genesis/source.ts';
import { type ChainSpec, loadGenesis } from './chain/genesis/spec.ts';
import { writeSpecText } from './chain/genesis/spec-text.ts';
import { hashHeader, rootOfExtrinsics, stateVersion } from './chain/hashes.ts';
import { createClosers } from './closers.ts';
import { type BlockHash, bytesToBlockHash } from './codec/identity.ts';
import { outcome } from './control.ts';
import { keptForSnapshots } from './dev/dev.ts';
import { presetNames, targetOf } from './executor/runtime-api.ts';
import { type Foundations, openChain } from './foundations.ts';
import { specDeps, startLoading } from './loading.ts';
import type { Platform } from './platform.ts';
import { createEmptyBackend } from './state/backend.ts';
import { emptySource } from './trie/node-source.ts';

/** Opens only the chain, without pool, author and offchain workers, and closes it after use. */
const withChain = async <T>(
  platform: Platform,
  stored: StoredChain,
  use: (base: Foundations) => Promise<T>,
): Promise<T> => {
  const closers = createClosers();
  const config = { ...stored, seal: { kind: 'manual' }, dialect: 'polkadot-sdk', keys: [] } as const;
  const loading = startLoading(platform, config);
  try {
    closers.add(await platform.lock(stored));
    const db = await platform.openDatabase(stored);
    closers.add(db.close);
    const base = await openChain(platform, config, db, loading);
    closers.add(base.chain.close);
    await base.checked;
    return await use(base);
  } finally {
    await closers.closeAll();
  }
};

const hashText = /^(?:0x)?([0-9a-f]{64})$/;

/** As in the SDK, a hash may lack `0x`, and a number refers to the best chain. */
const findBlock = async ({ chain }: Foundations, text: string | null) => {
  const found = hashText.exec((text ?? chain.best().hash).toLowerCase());
  const hash = found === null ? await chain.loadHashAt(Number(text)) : (`0x${found[1]}` as BlockHash);
  const block = hash === null ? null : await chain.loadBlock(hash);
  if (hash !== null && block !== null) return { hash, block };
  const { number } = chain.best();
  throw new NodeError('UnknownBlock', `There is no block ${text}: the best block is #${number}`);
};

const named = (spec: ChainSpec, names: SpecNames): ChainSpec => {
  const { chainType = spec.chainType } = names;
  const isKnown = typeof chainType !== 'string' || ['Development', 'Local', 'Live'].includes(chainType);
  return { ...spec, ...names, chainType: isKnown ? chainType : { Custom: chainType } };
};

const listPresets = async (platform: Platform, source: ChainSource): Promise<readonly string[]> => {
  const loading = startLoading(platform, { chain: source });
  const [crypto, executor] = [await loading.crypto, await loading.executor];
  const { spec } = await sourceSpec(specDeps(platform, crypto, loading), source);
  const code = sourceCode(await loadGenesis(spec.genesis));
  const { blake2b256 } = crypto;
  const runtime = executor.load(blake2b256(code), code);
  if (runtime.apiVersion('GenesisBuilder') === null)
    throw new NodeError('MissingApi', 'The runtime has no GenesisBuilder API, and so no presets');
  const backend = createEmptyBackend({ blake2b256, source: emptySource });
  return presetNames(targetOf({ backend, runtime }, { fuel: 'genesis' }));
};

const writeSpec = (
  platform: Platform,
  ...[source, isRaw, names, write]: [ChainSource, boolean, SpecNames, WriteText]
): Promise<{ readonly genesisHash: string }> =>
  // Always builds the genesis state, so that the runtime accepts every specification that is written.
  withChain(platform, { chain: source, storage: { kind: 'memory' } }, async ({ chain }) => {
    const { genesisHash, spec } = chain;
    const isState = isRaw || ['raw', 'unread'].includes(spec.genesis.kind);
    const genesis = isState ? genesisHash : await chain.genesisJson(false);
    await writeSpecText(chain, named(spec, names), genesis, write);
    return { genesisHash };
  });

const patchSource = async (platform: Platform, source: ChainSource, patch: string): Promise<ChainSource> => {
  if (typeof source === 'object' && 'wasm' in source) return { ...source, patch };
  if (typeof source === 'object' && 'specJson' in source)
    return { specJson: patchSpec(source.specJson, patch) };
  if (typeof source === 'object' && 'specFile' in source && platform.openSpec !== undefined) {
    const text = await (await platform.openSpec(source.specFile)).read();
    return { specJson: patchSpec(bytesToText(text), patch) };
  }
  const parts: string[] = [];
  await writeSpec(platform, source, false, {}, async (part) => void parts.push(part));
  return { specJson: patchSpec(parts.join(''), patch) };
};

const buildSpec = async (
  platform: Platform,
  ...[source, patch, ...rest]: Parameters<Offline['buildSpec']>
): Promise<{ readonly genesisHash: string }> =>
  writeSpec(platform, patch === null ? source : await patchSource(platform, source, patch), ...rest);

/**
 * Runs `Core_execute_block` on the parent's state and makes the comparisons of an import. Nothing is stored.
 */
const executeAgain = async (
  { chain, crypto }: Foundations,
  { hash, block }: Awaited<ReturnType<typeof findBlock>>,
): Promise<BlockReport> => {
  const { header, extrinsics } = block;
  const { number } = header;
  if (number === 0)
    throw new NodeError('Unsupported', 'Block #0 is not executed: it is made from the specification');
  const fail = (code: 'BadBlock' | 'ExtrinsicsRootMismatch' | 'StateRootMismatch', why: string): NodeError =>
    new NodeError(code, `Block #${number}: ${why}`);
  if (hashHeader(crypto, header) !== hash) throw fail('BadBlock', 'the hash does not match the header');
  const parent = bytesToBlockHash(header.parentHash);
  const runtime = await chain.runtimeAt(parent, 'onchain');
  const knownRoot = rootOfExtrinsics(crypto, runtime, extrinsics);
  if (!equalBytes(knownRoot.root, header.extrinsicsRoot))
    throw fail('ExtrinsicsRootMismatch', 'the extrinsics root does not match the body');
  const { result, overlay } = await chain.rerun(block, (own) => own, { context: 'import', knownRoot });
  if (!result.ok) throw fail('BadBlock', `execution failed: ${result.trap}`);
  const { root } = await chain.run(() => overlay.commit(stateVersion(runtime)).backend);
  if (!equalBytes(root, header.stateRoot))
    throw fail('StateRootMismatch', `the state root does not match its execution: ${bytesToHex(root)}`);
  return {
    number,
    hash,
    parentHash: parent,
    stateRoot: bytesToHex(header.stateRoot),
    extrinsicsRoot: bytesToHex(header.extrinsicsRoot),
    extrinsics: extrinsics.length,
  };
};

const exportState = (
  platform: Platform,
  ...[stored, text, names, write, onKeys]: Parameters<Offline['exportState']>
) =>
  withChain(platform, stored, async (base) => {
    const { hash, block } = await findBlock(base, text);
    let keys = 0;
    await writeSpecText(base.chain, named(base.chain.spec, names), hash, write, (more) => {
      keys += more;
      onKeys(keys);
    });
    return { number: block.header.number, hash, keys };
  });

const revert = (platform: Platform, stored: StoredChain, count: number) =>
  withChain(platform, stored, async ({ chain, snapshots }) => {
    chain.keepPruned(() => keptForSnapshots(chain, snapshots));
    const reverted = await revertChain(chain, count);
    const { number, hash } = chain.best();
    return { reverted, bestNumber: number, bestHash: hash, finalizedNumber: chain.finalized().number };
  });

const chainInfo = (platform: Platform, stored: StoredChain) =>
  withChain(platform, stored, async ({ chain }) => {
    const [best, finalized] = [chain.best(), chain.finalized()];
    return {
      best_hash: best.hash,
      best_number: best.number,
      genesis_hash: chain.genesisHash,
      finalized_hash: finalized.hash,
      finalized_number: finalized.number,
    };
  });

const checkFree = async (platform: Platform, storage: StorageSource): Promise<null> => {
  try {
    await (await platform.openDatabase({ storage })).close();
  } catch (error) {
    if (error instanceof NodeError && error.code === 'ChainInUse') throw error;
  }
  return null;
};

/** The commands that work on a chain without a running node. */
export const createOffline = (platform: Platform): Offline => ({
  listPresets: (chain) => outcome(() => listPresets(platform, chain)),
  buildSpec: (...request) => outcome(() => buildSpec(platform, ...request)),
  exportState: (...request) => outcome(() => exportState(platform, ...request)),
  checkBlock: (stored, text) =>
    outcome(() =>
      withChain(platform, stored, async (base) => executeAgain(base, await findBlock(base, text))),
    ),
  revert: (...request) => outcome(() => revert(platform, ...request)),
  chainInfo: (stored) => outcome(() => chainInfo(platform, stored)),
  checkFree: (storage) => outcome(() => checkFree(platform, storage)),
});
