import { holdsWholeSet, type VotingDeps } from './session.ts';

export type WatchedModes = {
  /** Whether the keystore holds the whole authority set. */
  followKeys(isWhole: boolean): void;
};

type Deps = Pick<VotingDeps, 'chain' | 'grandpa' | 'keystore'> & {
  /** Runs one job after the other. */
  readonly run: (job: () => Promise<void>) => void;
};

/**
 * Reports now, and with the block after each new key, whether the keystore holds the whole authority set. Returns
 * the function that ends it.
 */
export const watchKeys = (deps: Deps, modes: WatchedModes): (() => void) => {
  const { chain, keystore, run } = deps;
  let known = 0;
  let isOver = false;
  const look = async (): Promise<void> => {
    const count = keystore.publicKeys('gran', 'ed25519').length;
    if (isOver || count === known) return;
    known = count;
    modes.followKeys(await holdsWholeSet(deps));
  };
  const off = chain.onEvent((event) => {
    if (event.kind === 'imported') run(look);
  });
  run(look);
  return (): void => {
    isOver = true;
    off();
  };
};
