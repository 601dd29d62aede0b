import { defaultFinality } from '../../src/protocol/finality-mode.ts';
import type { FinalityMode, SealMode } from '../../src/protocol/node.ts';
import type { Chain } from '../chain/chain.ts';
import type { NetworkRule } from '../chain/network-rule.ts';
import { createDelay, type DelayDeps } from './delay.ts';

/** Finalizes our own blocks without a proof (decision 15), unless the mode is to vote. */
export type Finality = {
  mode(): FinalityMode;
  /** Whether the operator chose the mode; otherwise it follows the seal mode and the keys. */
  isChosen(): boolean;
  /** Whether the mode follows keys that were not looked for yet. */
  isUndecided(): boolean;
  /** Throws `InNetwork` for any mode but `grandpa` in a network. */
  setMode(mode: FinalityMode): void;
  /** Informs finality about a change of the seal mode. */
  followSeal(seal: SealMode): void;
  /** Informs finality whether the keystore holds the whole authority set of GRANDPA. */
  followKeys(isWhole: boolean): void;
  /** Calls back after each change of the mode. */
  onMode(listener: () => void): void;
  close(): void;
};

export type FinalityDeps = DelayDeps & {
  readonly rule: Pick<NetworkRule, 'refuse'>;
  readonly chain: Pick<Chain, 'finalizeIfBest' | 'onEvent'>;
};

type Options = {
  /** The operator's choice, if any. */
  readonly chosen: FinalityMode | null;
  readonly seal: SealMode;
};

/** Follows the chain from its creation on. Create it after the parts that `settled` waits for. */
export const createFinalityMode = (deps: FinalityDeps, options: Options): Finality => {
  const { chain, onError } = deps;
  let { chosen, seal } = options;
  let isWhole: boolean | null = null;
  const mode = (): FinalityMode => chosen ?? defaultFinality(seal, isWhole ?? false);
  const listeners: (() => void)[] = [];
  const delay = createDelay(deps, {
    length: () => {
      const at = mode();
      return at.kind === 'delayed' ? at : null;
    },
    isCandidate: ({ isOwn }) => isOwn,
    onDue: chain.finalizeIfBest,
  });
  /** Blocks that are not finalized yet follow the new mode: finalized at once, or after its delay. */
  const change = (): void => {
    for (const listener of listeners) listener();
    const last = mode().kind === 'instant' ? delay.newest() : null;
    delay.restart();
    if (last !== null) chain.finalizeIfBest(last).catch(onError);
  };
  const off = chain.onEvent(delay.follow);
  delay.restart();
  return {
    mode,
    isChosen: () => chosen !== null,
    isUndecided: () => chosen === null && seal.kind !== 'manual' && isWhole === null,
    setMode: (next) => {
      if (next.kind !== 'grandpa') deps.rule.refuse('Blocks become final by votes alone');
      chosen = next;
      change();
    },
    followSeal: (next) => {
      seal = next;
      change();
    },
    followKeys: (next) => {
      const before = isWhole ?? false;
      isWhole = next;
      if (next !== before) change();
    },
    onMode: (listener) => void listeners.push(listener),
    close: () => {
      off();
      delay.close();
    },
  };
};
