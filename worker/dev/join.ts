import { NodeError } from '../../src/protocol/errors.ts';
import type { NodeConfig } from '../../src/protocol/node.ts';
import type { Finality } from '../author/finality-mode.ts';
import type { Chain } from '../chain/chain.ts';
import type { NetworkRule } from '../chain/network-rule.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { readChainTime } from './dev.ts';
import { isEdited } from './edited.ts';
import type { Impersonation } from './impersonation.ts';

export type FitnessDeps = {
  readonly chain: Chain;
  readonly impersonation: Pick<Impersonation, 'state' | 'ofEveryone'>;
  readonly config: Pick<NodeConfig, 'mockSignatures' | 'trustBlocks'>;
  readonly finality: Pick<Finality, 'mode' | 'isChosen' | 'setMode'>;
  readonly rule: NetworkRule;
  readonly crypto: Crypto;
  readonly wallMs: () => number;
};

/** Why other nodes could not follow this chain, as parts of a sentence. */
const findUnfit = async (deps: FitnessDeps): Promise<string[]> => {
  const { impersonation, config, finality } = deps;
  const ahead = ((await readChainTime(deps)) ?? 0) - deps.wallMs();
  return [
    ...((await isEdited(deps)) ? ['the state of some blocks was edited'] : []),
    ...(impersonation.state().isTainted ? ['blocks may have mock signatures'] : []),
    ...(config.mockSignatures === true ? ['mock signatures are accepted'] : []),
    ...(config.trustBlocks === true ? ['the authors of blocks are not checked'] : []),
    ...(ahead > maxAheadMs ? ['its time is ahead of the clock'] : []),
    ...(finality.isChosen() && finality.mode().kind !== 'grandpa'
      ? [`the finality mode is ${finality.mode().kind}, not grandpa`]
      : []),
  ];
};

/** How far a block may be in the future for other nodes (pallet-timestamp `MAX_TIMESTAMP_DRIFT_MILLIS`). */
const maxAheadMs = 30_000;

/**
 * From now on, and while `join` connects it, the node does only what others can follow, and finality is by votes. Throws
 * `InNetwork` with all reasons against it.
 */
export const enterNetwork = async (deps: FitnessDeps, join: () => Promise<void>): Promise<void> => {
  const unfit = await findUnfit(deps);
  if (unfit.length > 0)
    throw new NodeError('InNetwork', `This chain cannot join a network: ${unfit.join('; ')}`);
  deps.finality.setMode({ kind: 'grandpa' });
  const wasOn = deps.rule.isOn();
  deps.rule.set(true);
  await join().catch((error: unknown) => {
    // A node that is in a network already stays there.
    deps.rule.set(wasOn);
    throw error;
  });
};
