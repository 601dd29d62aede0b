import type { NodeConfig, RepairOptions, RepairReport } from '../src/protocol/node.ts';
import { buildGenesis } from './chain/genesis/genesis.ts';
import { sourceSpec } from './chain/genesis/source.ts';
import { planRepair } from './chain/repair/repair.ts';
import { createClosers } from './closers.ts';
import { isEvidenceKey } from './consensus/equivocations.ts';
import { sealRecord } from './db/checked.ts';
import type { Salvage } from './db/salvage.ts';
import { decodeSnapshot } from './dev/snapshot.ts';
import { specDeps, startLoading } from './loading.ts';
import type { Platform } from './platform.ts';
import { emptySource } from './trie/node-source.ts';

type Config = Pick<NodeConfig, 'chain' | 'storage'>;
type OnProgress = (nodes: number) => void;

const blocksOf = (snapshot: Uint8Array) => {
  const { head, finalized } = decodeSnapshot(snapshot);
  return [head, finalized];
};

const repairSalvage = async (
  platform: Platform,
  { chain }: Config,
  salvage: Salvage,
  { apply, onProgress }: RepairOptions & { readonly onProgress: OnProgress },
): Promise<RepairReport> => {
  const loading = startLoading(platform, { chain });
  const [crypto, executor] = [await loading.crypto, await loading.executor];
  const { spec, identity } = await sourceSpec(specDeps(platform, crypto, loading), chain);
  const genesis = await buildGenesis({ crypto, executor, source: emptySource }, spec.genesis);
  const { engine, isTorn } = salvage;
  const { batch, report } = await planRepair({
    ...{ crypto, engine, genesis, identity },
    ...{ blocksOf, staysTrue: isEvidenceKey, onProgress },
  });
  const isWhole = !isTorn && batch.puts.length + batch.deletes.length === 0;
  if (isWhole || !apply) return { ...report, outcome: isWhole ? 'whole' : 'planned', keptAt: null };
  await engine.write(batch, sealRecord);
  return { ...report, outcome: 'repaired', keptAt: await salvage.accept() };
};

/**
 * Repairs a chain's database, or reports what a repair would do. Throws like `planRepair`, or `ChainInUse`.
 */
export const repairChain = async (
  platform: Platform,
  config: Config,
  options: RepairOptions,
  onProgress: OnProgress,
): Promise<RepairReport> => {
  const closers = createClosers();
  try {
    closers.add(await platform.lock(config));
    const salvage = await platform.openDamaged(config.storage);
    closers.add(salvage.close);
    return await repairSalvage(platform, config, salvage, { ...options, onProgress });
  } finally {
    await closers.closeAll();
  }
};
